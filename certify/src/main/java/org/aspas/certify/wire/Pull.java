package org.aspas.certify.wire;

/**
 * A question for entries of any origin (anti-entropy); answered with one or more {@link Batch}, or with {@link
 * CertifiedEntries} when a certified size is named.
 *
 * @param after the sequence number that the asker holds already
 * @param certified the size of the origin's log in the certificate that the asker is to adopt next, to which the entries
 *     must lead; 0 when they are wanted under the origin's signed heads
 */
public record Pull(int origin, long after, long certified) implements Message {
    static final Schema<Pull> SCHEMA =
            items -> new Pull(items.index(Pull::origin), items.natural(Pull::after), items.natural(Pull::certified));

    /** A question for entries under the origin's signed heads. */
    public Pull(int origin, long after) {
        this(origin, after, 0);
    }
}
