package org.aspas.appserver.core;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How many bytes are reachable from an object, by the fields of this project's classes that lead there and the class of what is
 * there. Sizes are those of a 64-bit virtual machine with compressed references. What the JDK's modules do not open is left out.
 */
final class ReachableBytes {
    private static final int HEADER = 12;
    private static final int ARRAY_HEADER = 16;
    private static final int REFERENCE = 4;
    private static final int ALIGNMENT = 8;
    private static final int LONGEST_PATH = 6;
    private static final Map<Class<?>, Integer> WIDTHS = Map.of(
            long.class, Long.BYTES,
            double.class, Double.BYTES,
            int.class, Integer.BYTES,
            float.class, Float.BYTES,
            char.class, Character.BYTES,
            short.class, Short.BYTES,
            byte.class, 1,
            boolean.class, 1);

    private record Found(Object object, String path, int length) {}

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Found> open = new ArrayDeque<>();
    private final Map<String, Long> bytes = new TreeMap<>();

    private ReachableBytes() {}

    /** The bytes by path and class. */
    static Map<String, Long> of(Object root) throws IllegalAccessException {
        ReachableBytes walk = new ReachableBytes();
        walk.found(root, "", 0);
        while (!walk.open.isEmpty()) {
            walk.visit(walk.open.remove());
        }
        return walk.bytes;
    }

    static long total(Map<String, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private void found(Object object, String path, int length) {
        boolean shared = object instanceof Class<?>
                || object instanceof Enum<?>
                || object instanceof Thread
                || object instanceof ClassLoader
                || object.getClass().isHidden()
                || object.getClass().getName().matches("(sun|java)\\.security\\..*");
        if (!shared && seen.add(object)) {
            open.add(new Found(object, path, length));
        }
    }

    private void visit(Found one) throws IllegalAccessException {
        Class<?> type = one.object().getClass();
        long size = type.isArray() ? array(one, type.getComponentType()) : fields(one, type);
        long aligned = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        bytes.merge(one.path() + " " + type.getSimpleName(), aligned, Long::sum);
    }

    private long array(Found one, Class<?> component) {
        int length = Array.getLength(one.object());
        if (!component.isPrimitive()) {
            for (Object element : (Object[]) one.object()) {
                if (element != null) {
                    found(element, one.path(), one.length());
                }
            }
        }
        return ARRAY_HEADER + (long) length * WIDTHS.getOrDefault(component, REFERENCE);
    }

    private long fields(Found one, Class<?> type) throws IllegalAccessException {
        long size = HEADER;
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    size += WIDTHS.getOrDefault(field.getType(), REFERENCE);
                    follow(one, declaring, field);
                }
            }
        }
        return size;
    }

    private void follow(Found one, Class<?> declaring, Field field) throws IllegalAccessException {
        if (field.getType().isPrimitive() || !opened(field)) {
            return;
        }
        Object value = field.get(one.object());
        boolean named = declaring.getName().startsWith("org.aspas") && one.length() < LONGEST_PATH;
        if (value != null && named) {
            found(value, one.path() + "/" + field.getName(), one.length() + 1);
        } else if (value != null) {
            found(value, one.path(), one.length());
        }
    }

    private static boolean opened(Field field) {
        try {
            field.setAccessible(true);
            return true;
        } catch (InaccessibleObjectException closed) {
            return false;
        }
    }
}
