package org.aspas.appserver.core.port;

import java.util.Optional;

/** What a store gives back: the records of its journal in order, each time anew, and what its base holds. */
@FunctionalInterface
public interface StoredHistory extends Iterable<byte[]> {
    /** The records alone. */
    static StoredHistory of(Iterable<byte[]> records) {
        return records::iterator;
    }

    /** What the base holds; empty when there is none. */
    default Optional<SavedBase> base() {
        return Optional.empty();
    }

    /** Gives back single objects of the base from now on. */
    default BaseReader reader() {
        return BaseReader.NONE;
    }
}
