package org.aspas.certify.notary;

/**
 * The durable record of one replica: port between the {@link Notary} and whatever keeps bytes. Used by one thread at a
 * time.
 */
public interface NotaryRecord extends AutoCloseable {
    /** What all items so far amount to. The notary reads it and never changes it. */
    RecordState state();

    /**
     * Adds an item. When this returns normally the item is durable and in {@link #state()}; when it throws, the item may
     * or may not be durable, and no further item can be added.
     *
     * @throws java.io.UncheckedIOException when the item could not be made durable
     */
    void append(RecordItem item);

    /** Releases what the record holds open. */
    @Override
    void close();
}
