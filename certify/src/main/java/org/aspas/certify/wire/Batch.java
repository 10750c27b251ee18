package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.List;

/**
 * Consecutive entries of one origin under one signed head (the protocol page, §4). The last entry's sequence number is
 * the head's size.
 *
 * @param head the origin's signed head that covers the last entry
 * @param entries the encoded entries; the first has sequence number {@code head.size - entries.size + 1}
 * @param tags the tag of each entry for the server that the batch goes to, {@link TaggedRequest#TAG_BYTES} each, zeros for none; empty for no
 *     tag at all; not copied, never to be changed (docs/tags.md)
 */
public record Batch(Signed<Head> head, List<byte[]> entries, byte[] tags) implements Message {
    private static final byte[] NO_TAGS = {};

    static final Schema<Batch> SCHEMA = items -> new Batch(
            items.of(Head.SIGNED, Batch::head),
            items.of(Item.ENTRIES, Batch::entries),
            items.more(batch -> batch.tags().length > 0) ? items.of(Item.TAGS, Batch::tags) : NO_TAGS);

    /**
     * Copies the list, not the arrays.
     *
     * @throws IllegalArgumentException when there are tags, and not as many as entries
     */
    public Batch {
        entries = List.copyOf(entries);
        if (tags.length > 0 && tags.length != entries.size() * TaggedRequest.TAG_BYTES) {
            throw new IllegalArgumentException(tags.length + " bytes of tags for " + entries.size() + " entries");
        }
    }

    public Batch(Signed<Head> head, List<byte[]> entries) {
        this(head, entries, NO_TAGS);
    }

    /** The same with tags for one server. */
    public Batch tagged(byte[] each) {
        return new Batch(head, entries, each);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Batch that
                && head.equals(that.head)
                && entries.equals(that.entries)
                && Arrays.equals(tags, that.tags);
    }

    @Override
    public int hashCode() {
        return head.hashCode();
    }
}
