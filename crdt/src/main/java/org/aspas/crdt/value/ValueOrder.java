package org.aspas.crdt.value;

import java.util.List;

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
