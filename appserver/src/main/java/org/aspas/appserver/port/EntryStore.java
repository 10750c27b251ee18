package org.aspas.appserver.port;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.step.Ticket;

/** Keeps the core's records in order. Used by one thread, except that completions may come on any. */
public interface EntryStore extends AutoCloseable {
    /** Is told how far the records have come. */
    interface Progress {
        /** All records up to a ticket survive the end of the process, and perhaps not that of the machine. */
        void written(Ticket ticket);

        /** All records up to a ticket are durable. */
        void durable(Ticket ticket);
    }

    /** Whether the records are all that the server ever promised. */
    StoreState state();

    /**
     * All records that are durable and were not replaced by a sum, in order, as they were given to an earlier process, and what the
     * base holds. To be read before the first {@link #append}; records are read from the disk as one goes on, which fails with a
     * {@link java.io.UncheckedIOException}.
     */
    StoredHistory records();

    /** Makes the base this image, some time; returns at once. */
    default void keep(Effect.Keep image) {
        // This store has no base.
    }

    /**
     * Appends a record.
     *
     * @param record the bytes; not changed afterwards
     * @param progress told of this ticket, or of a later one, when this method returned false; on any thread
     * @return true when the record counts as durable already
     */
    boolean append(Ticket ticket, byte[] record, Progress progress);

    /** Where the core's hashes of forgotten leaves go. */
    default LeafStore leaves() {
        return LeafStore.NONE;
    }

    /** The objects that are in this store alone. */
    default RestingObjects resting() {
        return RestingObjects.NONE;
    }

    /** How many bytes of a write that was interrupted the start cut off. */
    default long tailCutBytes() {
        return 0;
    }

    /** Why nothing can be stored at present, in words for people; empty while all is well. Thread-safe. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /**
     * Why what is certified cannot be written into the base at present, in words for people; empty while all is well. Nothing waits for
     * that: the records are kept meanwhile. Thread-safe.
     */
    default Optional<String> baseTrouble() {
        return Optional.empty();
    }

    /** Completes, with a reason for people, when nothing more can be stored: the server must end. */
    CompletionStage<String> failure();

    /** Writes what was appended, and releases the files. */
    @Override
    void close();
}
