package org.aspas.crdt.clock;

/**
 * What a sequence number says: entry n of incarnation k of an origin has the sequence k·2^40 + n, with n from 1 to 2^40 - 1 and k from 0
 * (docs/formats.md §4). Version components and sizes of heads are on the same scale, where n may be 0: nothing of incarnation k yet.
 *
 * <p>Every origin has its incarnation 0 open, whose sequences are 1, 2, 3 and so on. Nothing opens a later one yet. What names a later one
 * is therefore held back: it is not accepted, and it is no evidence against anybody. Pure; thread-safe.
 */
public final class SequenceNumbers {
    /** The number of sequences of one incarnation, among them the one with number 0, which is no entry's. */
    public static final long PER_INCARNATION = 1L << 40;

    /** The highest number of an entry in its incarnation, and the highest sequence of incarnation 0. */
    public static final long LAST_NUMBER = PER_INCARNATION - 1;

    private SequenceNumbers() {}

    /**
     * The number n of an entry in its incarnation, from 0 to {@link #LAST_NUMBER}.
     *
     * @param sequence at least 0
     */
    public static long number(long sequence) {
        return sequence & LAST_NUMBER;
    }

    /** Whether an entry can have this sequence: it is positive, and its number is not 0. */
    public static boolean isSequence(long sequence) {
        return sequence > 0 && number(sequence) != 0;
    }

    /** Whether a sequence, a version component or the size of a head, which is at least 0, names a later incarnation than the open one. */
    public static boolean isLater(long sequence) {
        return sequence >= PER_INCARNATION;
    }

    /** Whether any component of a version names a later incarnation than the open one. */
    public static boolean isLater(VersionVector version) {
        for (int origin = 0; origin < version.size(); origin++) {
            if (isLater(version.get(origin))) {
                return true;
            }
        }
        return false;
    }
}
