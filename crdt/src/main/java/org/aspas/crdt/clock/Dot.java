package org.aspas.crdt.clock;

import java.util.Comparator;

/**
 * The name of one operation: the {@code sequence}-th operation issued at {@code origin}.
 *
 * <p>Dots are ordered by origin and then by sequence. That order is only a canonical one for encodings;
 * it says nothing about causality.
 *
 * @param origin the zero-based number of the replica that issued the operation
 * @param sequence the one-based position among that origin's operations
 */
public record Dot(int origin, long sequence) implements Comparable<Dot> {

    private static final Comparator<Dot> ORDER =
            Comparator.comparingInt(Dot::origin).thenComparingLong(Dot::sequence);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the origin is negative or the sequence is less than one
     */
    public Dot {
        if (origin < 0) {
            throw new IllegalArgumentException("origin must not be negative: " + origin);
        }
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence must be at least 1: " + sequence);
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
