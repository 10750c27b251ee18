package org.aspas.appserver.store;

import java.util.List;
import java.util.function.Consumer;
import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.durable.Ticket;

/**
 * The store that stores nothing: every record counts as durable at once, and is gone with the process. An update that
 * this server acknowledged survives only where other servers have it already (the protocol page, docs/protocol.md §10,
 * relaxed durability). Such a server must not start again under its old key, because it would reuse sequence numbers.
 */
public final class VolatileStore implements EntryStore {
    @Override
    public List<byte[]> records() {
        return List.of();
    }

    @Override
    public boolean append(Ticket ticket, byte[] record, Consumer<Ticket> durable) {
        return true;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
