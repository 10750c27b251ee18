package org.aspas.bftcluster.frame;

import java.util.List;
import java.util.Map;

/** One value of a serialization stream, as data. */
sealed interface StreamValue {
    /** The null reference. */
    enum Nil implements StreamValue {
        NIL
    }

    record Text(String characters) implements StreamValue {}

    record Bytes(byte[] octets) implements StreamValue {}

    /** Primitive data that an object wrote by itself. */
    record Data(byte[] octets) implements StreamValue {}

    /**
     * An object.
     *
     * @param fields its fields of all levels by name: numbers as Long, objects as StreamValue
     * @param written what it wrote by itself, in order: {@link Data} and other values, never two Data in a row
     */
    record Instance(StreamClass type, Map<String, Object> fields, List<StreamValue> written) implements StreamValue {
        boolean is(Class<?> expected) {
            return type.name().equals(expected.getName());
        }

        // Identity: values are compared by what they contain only where a check says so.
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
