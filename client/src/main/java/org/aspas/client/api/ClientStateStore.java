package org.aspas.client.api;

import java.util.Optional;
import org.aspas.client.core.port.ClientState;

/** Where a client keeps what it needs to go on after a restart with the same key. Called by one thread at a time. */
public interface ClientStateStore {
    /**
     * What an earlier run left.
     *
     * @return the record, or empty for a key that was never used
     * @throws java.io.UncheckedIOException when it cannot be read or is damaged
     */
    Optional<ClientState> load();

    /**
     * Replaces the record. When this returns, the record is durable; after a crash either the old or the new one is there.
     *
     * @throws java.io.UncheckedIOException when it cannot be written
     */
    void save(ClientState record);
}
