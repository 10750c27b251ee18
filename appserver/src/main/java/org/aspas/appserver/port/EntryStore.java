package org.aspas.appserver.port;

import java.util.List;
import java.util.function.Consumer;
import org.aspas.certify.durable.Ticket;

/** Keeps the core's records in order. Used by one thread, except that completions may come on any. */
public interface EntryStore extends AutoCloseable {
    /** All records that are durable, in order, as they were given to an earlier process. */
    List<byte[]> records();

    /**
     * Appends a record.
     *
     * @param ticket the record's
     * @param record the bytes; not changed afterwards
     * @param durable told of this ticket, or of a later one, once the record is durable and this method returned false;
     *     on any thread
     * @return true when the record is durable already
     */
    boolean append(Ticket ticket, byte[] record, Consumer<Ticket> durable);

    @Override
    void close();
}
