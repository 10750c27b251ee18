package org.aspas.crdt.clock;

/**
 * The structure of sequence numbers: entry n of incarnation k of an origin has the sequence k·2^40 + n, with n from 1 to 2^40 - 1 and k
 * from 0 (docs/formats.md §4). Version components and sizes of heads use the same scale, where n may be 0: no entry of incarnation k yet.
 *
 * <p>Every origin has incarnation 0 open, with the sequences 1, 2, 3 and so on. Nothing opens a later incarnation yet. Data that
 * names a later one is therefore not accepted, nor does it count as evidence against anyone. All methods are pure and thread-safe.
 */
public final class SequenceNumbers {
    /** The number of sequences in one incarnation, including the one with number 0, which no entry has. */
    public static final long PER_INCARNATION = 1L << 40;

    /** The highest number of an entry in its incarnation, and the highest sequence of incarnation 0. */
    public static final long LAST_NUMBER = PER_INCARNATION - 1;

    private SequenceNumbers() {}

    /**
     * Returns the number n of an entry in its incarnation, from 0 to {@link #LAST_NUMBER}.
     *
     * @param sequence at least 0
     */
    public static long number(long sequence) {
        return sequence & LAST_NUMBER;
    }

    /** Returns whether an entry can have this sequence: it is positive, and its number is not 0. */
    public static boolean isSequence(long sequence) {
        return sequence > 0 && number(sequence) != 0;
    }

    /**
     * Returns whether a sequence, a version component or the size of a head names a later incarnation than the open one.
     *
     * @param sequence at least 0
     */
    public static boolean isLater(long sequence) {
        return sequence >= PER_INCARNATION;
    }

    /** Returns whether any component of a version names a later incarnation than the open one. */
    public static boolean isLater(VersionVector version) {
        for (int origin = 0; origin < version.size(); origin++) {
            if (isLater(version.get(origin))) {
                return true;
            }
        }
        return false;
    }
}
