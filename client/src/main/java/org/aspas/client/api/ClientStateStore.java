package org.aspas.client.api;

import java.util.Optional;
import org.aspas.client.core.ClientState;

/**
 * Storage for a client's record: the updates that the next client with the same key has to send again. It serves one client at a time,
 * from {@link #load} to {@link #close}, and is called by one thread at a time.
 */
public interface ClientStateStore extends AutoCloseable {
    /**
     * Loads the record that an earlier run left.
     *
     * @return the record, or empty when there is none
     * @throws java.io.UncheckedIOException when the record cannot be read or is damaged
     */
    Optional<ClientState> load();

    /**
     * Replaces the record. When this method returns, the new record is durable; a crash leaves either the old or the new one.
     *
     * @throws java.io.UncheckedIOException when the record cannot be written
     */
    void save(ClientState record);

    /** Releases the record for other clients, because this one has ended. The default does nothing. */
    @Override
    default void close() {
        // Nothing is held.
    }
}
