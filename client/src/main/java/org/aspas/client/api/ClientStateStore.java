package org.aspas.client.api;

import java.util.Optional;
import org.aspas.client.core.port.ClientState;

/**
 * Where a client keeps what the next one with the same key has to send again. Called by one thread at a time. It serves
 * one client at a time: from {@link #load} to {@link #close}, and then perhaps the next one.
 */
public interface ClientStateStore extends AutoCloseable {
    /**
     * What an earlier run left.
     *
     * @return the record, or empty when there is none
     * @throws java.io.UncheckedIOException when it cannot be read or is damaged
     */
    Optional<ClientState> load();

    /**
     * Replaces the record. When this returns, the record is durable; after a crash either the old or the new one is there.
     *
     * @throws java.io.UncheckedIOException when it cannot be written
     */
    void save(ClientState record);

    /** The client has ended: lets others use the record. A store without anything to release does nothing. */
    @Override
    default void close() {
        // Nothing is held.
    }
}
