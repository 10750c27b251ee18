package org.aspas.crdt.value;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of data: an integer, a text, a byte string or a sequence of values.
 *
 * <p>The total order is by kind first ({@link Int}, {@link Text}, {@link Blob}, {@link Sequence}) and by
 * content second: integers by number, texts by code point (which equals the order of their UTF-8 bytes),
 * byte strings by unsigned bytes, sequences lexicographically. The order agrees with {@code equals}.
 *
 * <p>Values are immutable. Nothing here bounds their size or nesting depth, so a decoder of values from others has to bound both.
 */
public sealed interface Value extends Comparable<Value> permits Value.Int, Value.Text, Value.Blob, Value.Sequence {

    /** Returns an integer value. */
    static Value of(long value) {
        return new Int(value);
    }

    /**
     * Returns a text value.
     *
     * @throws IllegalArgumentException if the text has an unpaired surrogate
     */
    static Value of(String value) {
        return new Text(value);
    }

    /** Returns a byte string value; the array is copied. */
    static Value of(byte[] bytes) {
        return new Blob(bytes);
    }

    /** Returns a sequence value; the list is copied. */
    static Value sequence(List<? extends Value> items) {
        return new Sequence(List.copyOf(items));
    }

    @Override
    default int compareTo(Value other) {
        return ValueOrder.compare(this, other);
    }

    /** A signed 64-bit integer. */
    record Int(long value) implements Value {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /**
     * A text of Unicode code points.
     *
     * @param value the text, free of unpaired surrogates so that it has exactly one UTF-8 form
     */
    record Text(String value) implements Value {
        /**
         * Checks that the text can be encoded in UTF-8.
         *
         * @throws IllegalArgumentException if the text has an unpaired surrogate
         */
        public Text {
            if (!isWellFormed(value)) {
                throw new IllegalArgumentException("the text has an unpaired surrogate");
            }
        }

        /** Returns whether a string is free of unpaired surrogates, as a text value has to be. */
        public static boolean isWellFormed(String candidate) {
            // Each text that is written or read comes here: a stream of code points costs many times as much.
            int length = candidate.length();
            for (int place = 0; place < length; place++) {
                if (Character.isSurrogate(candidate.charAt(place))) {
                    boolean pair = place + 1 < length
                            && Character.isSurrogatePair(candidate.charAt(place), candidate.charAt(place + 1));
                    if (!pair) {
                        return false;
                    }
                    place++;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return '"' + value + '"';
        }
    }

    /** A byte string, compared and hashed by content. */
    final class Blob implements Value {
        private final byte[] bytes;

        /** Copies the bytes. */
        public Blob(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        /** Returns a fresh copy of the bytes. */
        public byte[] toBytes() {
            return bytes.clone();
        }

        public int length() {
            return bytes.length;
        }

        int compareBytes(Blob other) {
            return Arrays.compareUnsigned(bytes, other.bytes);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Blob that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return "0x" + HexFormat.of().formatHex(bytes);
        }
    }

    /**
     * A sequence of values.
     *
     * @param items the items in order; copied, never null, no null items
     */
    record Sequence(List<Value> items) implements Value {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return items.toString();
        }
    }

    /** The total order of values described at {@link Value}. */
    final class ValueOrder {

        private ValueOrder() {}

        static int compare(Value left, Value right) {
            if (left instanceof Value.Int a && right instanceof Value.Int b) {
                return Long.compare(a.value(), b.value());
            }
            if (left instanceof Value.Text a && right instanceof Value.Text b) {
                return compareTexts(a.value(), b.value());
            }
            if (left instanceof Value.Blob a && right instanceof Value.Blob b) {
                return a.compareBytes(b);
            }
            if (left instanceof Value.Sequence a && right instanceof Value.Sequence b) {
                return compareItems(a.items(), b.items());
            }
            return Integer.compare(rank(left), rank(right));
        }

        private static int rank(Value value) {
            if (value instanceof Value.Int) {
                return 0;
            }
            if (value instanceof Value.Text) {
                return 1;
            }
            return value instanceof Value.Blob ? 2 : 3;
        }

        /** Compares by code point; plain {@code String.compareTo} would put U+FFFF after U+10000. */
        private static int compareTexts(String left, String right) {
            int shorter = Math.min(left.length(), right.length());
            for (int i = 0; i < shorter; i++) {
                char a = left.charAt(i);
                char b = right.charAt(i);
                if (a != b) {
                    boolean sameClass = Character.isSurrogate(a) == Character.isSurrogate(b);
                    return sameClass ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
                }
            }
            return Integer.compare(left.length(), right.length());
        }

        private static int compareItems(List<Value> left, List<Value> right) {
            int shorter = Math.min(left.size(), right.size());
            for (int i = 0; i < shorter; i++) {
                int order = compare(left.get(i), right.get(i));
                if (order != 0) {
                    return order;
                }
            }
            return Integer.compare(left.size(), right.size());
        }
    }
}
