package org.aspas.bftcluster.frame;

import bftsmart.communication.SystemMessage;
import bftsmart.consensus.TimestampValuePair;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.statemanagement.SMMessage;
import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.server.defaultservices.DefaultApplicationState;
import java.io.Externalizable;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.reflect.Method;
import java.security.SignedObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every class that replicas send each other, with the descriptor that this library and this JDK write. */
final class LibraryClasses {
    private static final List<Class<?>> ALL = List.of(
            SystemMessage.class,
            ConsensusMessage.class,
            ForwardedMessage.class,
            LCMessage.class,
            SMMessage.class,
            StandardSMMessage.class,
            TimestampValuePair.class,
            CollectData.class,
            CertifiedDecision.class,
            DefaultApplicationState.class,
            SignedObject.class,
            HashMap.class,
            HashSet.class,
            Number.class,
            Integer.class,
            byte[].class);

    private static final Map<String, StreamClass> KNOWN = describeAll();

    private LibraryClasses() {}

    /** The descriptor of a class by its binary name; null for a class that has no business here. */
    static @Nullable StreamClass named(String name) {
        return KNOWN.get(name);
    }

    static Set<String> names() {
        return KNOWN.keySet();
    }

    private static Map<String, StreamClass> describeAll() {
        Map<String, StreamClass> known = new HashMap<>();
        for (Class<?> type : ALL) {
            describe(type, known);
        }
        return Map.copyOf(known);
    }

    private static StreamClass describe(Class<?> type, Map<String, StreamClass> known) {
        StreamClass done = known.get(type.getName());
        if (done != null) {
            return done;
        }
        ObjectStreamClass local = ObjectStreamClass.lookup(type);
        if (local == null) {
            throw new IllegalStateException(type + " is not serializable in this library");
        }
        List<StreamClass.Field> fields = new ArrayList<>();
        // The stream's order: primitives first, each group by name; that is how the fields come from here.
        for (ObjectStreamField field : local.getFields()) {
            fields.add(new StreamClass.Field(field.getTypeCode(), field.getName(), field.getTypeString()));
        }
        StreamClass made =
                new StreamClass(type.getName(), local.getSerialVersionUID(), flags(type), fields, parent(type, known));
        known.put(type.getName(), made);
        return made;
    }

    private static @Nullable StreamClass parent(Class<?> type, Map<String, StreamClass> known) {
        Class<?> above = type.getSuperclass();
        return above == null || type.isArray() || ObjectStreamClass.lookup(above) == null
                ? null
                : describe(above, known);
    }

    private static int flags(Class<?> type) {
        if (Externalizable.class.isAssignableFrom(type)) {
            return StreamClass.EXTERNALIZABLE | StreamClass.BLOCK_DATA;
        }
        boolean writes = Arrays.stream(type.getDeclaredMethods()).anyMatch(LibraryClasses::isWriteMethod);
        return StreamClass.SERIALIZABLE | (writes ? StreamClass.WRITE_METHOD : 0);
    }

    private static boolean isWriteMethod(Method method) {
        return method.getName().equals("writeObject")
                && method.getParameterCount() == 1
                && method.getParameterTypes()[0].getName().equals("java.io.ObjectOutputStream");
    }
}
