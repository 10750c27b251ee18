package org.aspas.certify.wire;

/**
 * The number of an epoch of certification (the protocol page, docs/protocol.md §5.3): every certificate that is attempted
 * has one of its own, and epochs only rise, also over a cold start.
 *
 * @param value 0 for none, else from 1; the codec takes no other
 */
public record Epoch(long value) implements Comparable<Epoch> {
    /** Before the first epoch of a deployment. */
    public static final Epoch NONE = new Epoch(0);

    public Epoch next() {
        return new Epoch(value + 1);
    }

    public boolean isAfter(Epoch other) {
        return value > other.value;
    }

    public static Epoch max(Epoch one, Epoch other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public int compareTo(Epoch other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
