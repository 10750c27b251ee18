package org.aspas.appserver.core.state;

import java.util.Optional;

/** What a store gives back: the records of its journal in order, each time anew, and what its base holds. */
@FunctionalInterface
public interface StoredHistory extends Iterable<byte[]> {
    /** These records, without a base. */
    static StoredHistory of(Iterable<byte[]> records) {
        return records::iterator;
    }

    default Optional<SavedBase> base() {
        return Optional.empty();
    }

    /** Gives back single objects of the base from now on. */
    default BaseReader reader() {
        return BaseReader.NONE;
    }
}
