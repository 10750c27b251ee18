package org.aspas.certify.model;

import java.util.Arrays;

/** A map from pairs of small numbers to long, without boxes. */
final class LongTable {
    static final long ABSENT = Long.MIN_VALUE;
    private long[] keys = new long[1 << 12];
    private long[] values = new long[1 << 12];
    private int size;

    LongTable() {
        Arrays.fill(keys, ABSENT);
    }

    static long key(int one, int other) {
        return ((long) one << 32) | (other & 0xffffffffL);
    }

    long get(long key) {
        int at = slot(keys, key);
        return keys[at] == key ? values[at] : ABSENT;
    }

    void put(long key, long value) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        int at = slot(keys, key);
        if (keys[at] != key) {
            keys[at] = key;
            size++;
        }
        values[at] = value;
    }

    int size() {
        return size;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new long[2 * oldKeys.length];
        Arrays.fill(keys, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != ABSENT) {
                int at = slot(keys, oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }

    private static int slot(long[] keys, long key) {
        long mixed = key * 0x9e3779b97f4a7c15L;
        int at = (int) (mixed >>> 32) & (keys.length - 1);
        while (keys[at] != ABSENT && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }
}
