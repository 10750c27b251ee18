package org.aspas.appserver.store;

import java.nio.file.Path;

/**
 * Where an appserver keeps what must survive its process, and how well.
 *
 * @param data the directory of its data, in which {@link JournalStore#make} has made a store
 * @param durability what its answers wait for
 * @param objectBytes how much memory objects may take, about; when there are more, those longest unused are in the base alone. 1 byte or more
 */
public record StoreOptions(Path data, Durability durability, long objectBytes) {
    /** Objects take up to this part of the heap; the rest is for the hashes of all, entries, clients, and messages. */
    private static final int HEAP_SHARE = 8;

    public StoreOptions {
        if (objectBytes < 1) {
            throw new IllegalArgumentException("objectBytes = " + objectBytes + " is below 1");
        }
    }

    /** Objects may take an eighth of the heap. */
    public StoreOptions(Path data, Durability durability) {
        this(data, durability, Math.max(1, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    }
}
