package org.aspas.certify.model;

/**
 * A set of 128-bit fingerprints. Among 100 million states two have one fingerprint with a chance below 2^-74, and then the
 * second one is not looked at.
 */
final class Fingerprints {
    private long[] slots = new long[1 << 14];
    private long size;

    /** Whether it is new. The first half is never 0. */
    boolean add(long first, long second) {
        if (4 * (size + 1) > slots.length) {
            grow();
        }
        if (!insert(slots, first, second)) {
            return false;
        }
        size++;
        return true;
    }

    boolean contains(long first, long second) {
        int at = at(slots, first);
        while (slots[at] != 0) {
            if (slots[at] == first && slots[at + 1] == second) {
                return true;
            }
            at = (at + 2) & (slots.length - 1);
        }
        return false;
    }

    long size() {
        return size;
    }

    private static int at(long[] slots, long first) {
        return (int) (first >>> 7) & (slots.length - 2);
    }

    private static boolean insert(long[] slots, long first, long second) {
        int at = at(slots, first);
        while (slots[at] != 0) {
            if (slots[at] == first && slots[at + 1] == second) {
                return false;
            }
            at = (at + 2) & (slots.length - 1);
        }
        slots[at] = first;
        slots[at + 1] = second;
        return true;
    }

    private void grow() {
        long[] bigger = new long[2 * slots.length];
        for (int i = 0; i < slots.length; i += 2) {
            if (slots[i] != 0) {
                insert(bigger, slots[i], slots[i + 1]);
            }
        }
        slots = bigger;
    }
}
