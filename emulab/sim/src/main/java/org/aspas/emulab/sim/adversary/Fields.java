package org.aspas.emulab.sim.adversary;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.jspecify.annotations.Nullable;

/**
 * The fields of messages by their records. {@code x?} is whether an optional field is there, {@code x[*]} a list as a whole,
 * {@code x[]} one of its items, {@code x:Y} an item of the variant Y, {@code x.signature} the signature of a signed message, {@code x} alone of a message inside
 * another the whole of it.
 */
public final class Fields {
    /**
     * One field of one message.
     *
     * @param field its name, the kind first
     * @param value what it holds, null when it is absent
     * @param change the whole message with another value there, signed again where signatures are above it; throws what a
     *     record throws of a value that it cannot hold
     */
    record Place(String field, @Nullable Object value, Function<@Nullable Object, Message> change) {}

    private final Sealer sealer;
    private final SeededRandom chance;

    /**
     * Fields of messages of one party.
     *
     * @param sealer signs again, with its key
     * @param chance chooses the item of each list
     */
    Fields(Sealer sealer, SeededRandom chance) {
        this.sealer = sealer;
        this.chance = chance;
    }

    /** The fields of a message; of each list, one item's. */
    List<Place> of(Message message) {
        List<Place> places = new ArrayList<>();
        message(message, changed -> changed, places);
        return places;
    }

    private void message(Message message, Function<Message, Message> change, List<Place> places) {
        if (message instanceof Certificate certificate) {
            content(
                    certificate.content(),
                    content -> change.apply(new Certificate(content, Codec.encode(content), certificate.signatures())),
                    places);
        } else if (message instanceof ProvenContent proven) {
            content(
                    proven.content(),
                    content -> change.apply(new ProvenContent(content, Codec.encode(content), proven.accepts())),
                    places);
        }
        parts(message, message.kind().name(), changed -> change.apply((Message) changed), places);
    }

    private void content(CertificateContent content, Function<CertificateContent, Message> change, List<Place> places) {
        message(content, changed -> change.apply((CertificateContent) changed), places);
    }

    private void parts(Object part, String path, Function<Object, Message> change, List<Place> places) {
        RecordComponent[] components = part.getClass().getRecordComponents();
        @Nullable
        Object[] values = Arrays.stream(components)
                .map(component -> read(part, component))
                .toArray();
        for (int i = 0; i < components.length; i++) {
            if (derived(part.getClass(), components[i])) {
                continue;
            }
            int place = i;
            Function<@Nullable Object, Message> rest = value -> {
                @Nullable Object[] changed = values.clone();
                changed[place] = value;
                return change.apply(make(part.getClass(), components, changed));
            };
            String name = path + "." + components[i].getName();
            Object value = values[i];
            if (optional(components[i])) {
                places.add(new Place(name + "?", value, rest));
            }
            if (value != null) {
                value(value, name, rest, places);
            }
        }
    }

    private void value(Object value, String path, Function<@Nullable Object, Message> change, List<Place> places) {
        if (value instanceof List<?> list) {
            places.add(new Place(path + "[*]", list, change));
            if (!list.isEmpty()) {
                int which = chance.index(list.size());
                value(list.get(which), path + "[]", item -> change.apply(with(list, which, item)), places);
            }
        } else if (value instanceof Signed<?> signed) {
            places.add(new Place(path + ".signature", signed, change));
            message(signed.message(), changed -> change.apply(sealer.seal(changed)), places);
        } else if (value instanceof Message message) {
            places.add(new Place(path, message, change));
            message(message, change::apply, places);
        } else if (value.getClass().isRecord() && !whole(value.getClass())) {
            if (value instanceof Question || value instanceof ReadPart) {
                places.add(new Place(path, value, change));
            }
            parts(value, value instanceof SnapshotLeaf ? variant(path, value.getClass()) : path, change, places);
        } else {
            places.add(new Place(path, value, change));
            if (value instanceof byte[] bytes) {
                Codec.decode(bytes, Entry.class)
                        .accepted()
                        .ifPresent(entry -> message(entry, changed -> change.apply(Codec.encode(changed)), places));
            }
        }
    }

    private static List<Object> with(List<?> list, int which, @Nullable Object item) {
        List<Object> changed = new ArrayList<>(list);
        changed.set(which, item);
        return changed;
    }

    private static String variant(String path, Class<?> type) {
        return path + ":" + type.getSimpleName();
    }

    /** Whether a record counts as one value. */
    private static boolean whole(Class<?> type) {
        return type == ClientId.class
                || type == Epoch.class
                || type == CertificateNumber.class
                || Value.class.isAssignableFrom(type)
                || Accused.class.isAssignableFrom(type);
    }

    /** Whether a component is only another view of the bytes beside it. */
    private static boolean derived(Class<?> type, RecordComponent component) {
        return (type == Certificate.class || type == ProvenContent.class)
                && component.getName().equals("content");
    }

    /** One of the two components of a question, or of a read's part, is there: it is another one as a whole. */
    private static boolean optional(RecordComponent component) {
        return component.getDeclaringRecord() != Question.class
                && component.getDeclaringRecord() != ReadPart.class
                && component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /**
     * A record with other values for some of its components.
     *
     * @param changes names and values by turns
     */
    @SuppressWarnings("unchecked") // A record of the same class.
    static <R extends Record> R with(R record, @Nullable Object... changes) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        @Nullable
        Object[] values = Arrays.stream(components)
                .map(component -> read(record, component))
                .toArray();
        for (int i = 0; i < changes.length; i += 2) {
            values[place(components, changes[i])] = changes[i + 1];
        }
        return (R) make(record.getClass(), components, values);
    }

    /** What the first field of a message holds. */
    static @Nullable Object first(Message message) {
        return read(message, message.getClass().getRecordComponents()[0]);
    }

    private static int place(RecordComponent[] components, @Nullable Object name) {
        for (int i = 0; i < components.length; i++) {
            if (components[i].getName().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no component " + name + " of " + components[0].getDeclaringRecord());
    }

    private static @Nullable Object read(Object part, RecordComponent component) {
        try {
            return component.getAccessor().invoke(part);
        } catch (IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("a record's accessor failed", impossible);
        }
    }

    private static Object make(Class<?> type, RecordComponent[] components, @Nullable Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException("the record refuses the value", refused);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a record without its constructor", impossible);
        }
    }

    // ---- All there are ----

    /** The names of all fields of all kinds. */
    public static SortedSet<String> all() {
        SortedSet<String> names = new TreeSet<>();
        for (Kind kind : Kind.values()) {
            namesOfParts(kind.type(), kind.name(), names);
        }
        return names;
    }

    private static void namesOfParts(Class<?> record, String path, SortedSet<String> names) {
        for (RecordComponent component : record.getRecordComponents()) {
            if (!derived(record, component)) {
                String name = path + "." + component.getName();
                if (optional(component)) {
                    names.add(name + "?");
                }
                names(component.getGenericType(), name, names);
            }
        }
    }

    private static void names(Type type, String path, SortedSet<String> names) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        if (raw == List.class) {
            names.add(path + "[*]");
            names(((ParameterizedType) type).getActualTypeArguments()[0], path + "[]", names);
        } else if (raw == Signed.class) {
            names.add(path + ".signature");
        } else if (raw.isRecord() && !whole(raw) && !Message.class.isAssignableFrom(raw)) {
            if (raw == Question.class || raw == ReadPart.class) {
                names.add(path);
            }
            namesOfParts(raw, SnapshotLeaf.class.isAssignableFrom(raw) ? variant(path, raw) : path, names);
        } else if (raw == SnapshotLeaf.class) {
            for (Class<?> variant : raw.getPermittedSubclasses()) {
                namesOfParts(variant, variant(path, variant), names);
            }
        } else {
            names.add(path);
        }
    }
}
