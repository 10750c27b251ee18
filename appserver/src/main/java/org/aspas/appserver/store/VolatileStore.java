package org.aspas.appserver.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.step.Ticket;

/**
 * The store that stores nothing: every record counts as durable at once, and is gone with the process. An update that
 * this server acknowledged survives only where other servers have it already. Such a server must not start again under its
 * old key, because it would reuse sequence numbers. It is for servers that live as long as one process, and for amnesiac ones.
 */
public final class VolatileStore implements EntryStore {
    private final StoreState state;

    /** The store of a key that was never used before. */
    public VolatileStore() {
        this(StoreState.GOOD);
    }

    private VolatileStore(StoreState state) {
        this.state = state;
    }

    /** In place of a store that is not there: the server signs nothing that it would have to remember. */
    static VolatileStore amnesiac(String reason) {
        return new VolatileStore(new StoreState.Amnesiac(reason));
    }

    @Override
    public StoreState state() {
        return state;
    }

    @Override
    public StoredHistory records() {
        return StoredHistory.of(List.of());
    }

    @Override
    public boolean append(Ticket ticket, byte[] record, Progress progress) {
        return true;
    }

    @Override
    public CompletionStage<String> failure() {
        return new CompletableFuture<>();
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
