package org.aspas.certify.message;

import java.util.List;

/**
 * Consecutive entries of one origin under one signed head (the protocol page, §4). The last entry's sequence number is
 * the head's size.
 *
 * @param head the origin's signed head that covers the last entry
 * @param entries the encoded entries; the first has sequence number {@code head.size - entries.size + 1}
 */
public record Batch(Signed<Head> head, List<byte[]> entries) implements Message {
    /** Copies the list, not the arrays. */
    public Batch {
        entries = List.copyOf(entries);
    }

    @Override
    public Kind kind() {
        return Kind.BATCH;
    }
}
