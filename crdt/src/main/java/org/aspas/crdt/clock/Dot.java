package org.aspas.crdt.clock;

import java.util.Comparator;

/**
 * The name of one operation: the {@code sequence}-th operation issued at {@code origin}, in its first incarnation. {@link
 * SequenceNumbers} says what a sequence is in a later one.
 *
 * <p>Dots are ordered by origin and then by sequence. This order only makes encodings canonical; it says
 * nothing about causality. Immutable.
 *
 * @param origin the zero-based number of the replica that issued the operation
 * @param sequence a sequence number; below 2^40 the one-based position among that origin's operations
 */
public record Dot(int origin, long sequence) implements Comparable<Dot> {

    private static final Comparator<Dot> ORDER =
            Comparator.comparingInt(Dot::origin).thenComparingLong(Dot::sequence);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the origin is negative, or no operation has this sequence
     */
    public Dot {
        if (origin < 0) {
            throw new IllegalArgumentException("origin must not be negative: " + origin);
        }
        if (!SequenceNumbers.isSequence(sequence)) {
            throw new IllegalArgumentException("no operation has the sequence " + sequence);
        }
    }

    @Override
    public int compareTo(Dot other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return origin + ":" + sequence;
    }
}
