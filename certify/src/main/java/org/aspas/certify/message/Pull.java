package org.aspas.certify.message;

/**
 * A question for entries of any origin (anti-entropy); answered with one or more {@link Batch}.
 *
 * @param origin whose entries
 * @param after the sequence number that the asker holds already
 */
public record Pull(int origin, long after) implements Message {
    @Override
    public Kind kind() {
        return Kind.PULL;
    }
}
