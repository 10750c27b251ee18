package org.aspas.emulab.testbed.fill;

import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.step.Ticket;

/** How far a store has come. Thread-safe. */
final class FillingProgress implements EntryStore.Progress {
    private long upTo;

    @Override
    public void written(Ticket ticket) {
        // Nothing waits for that.
    }

    @Override
    public synchronized void durable(Ticket ticket) {
        upTo = ticket.value();
        notifyAll();
    }

    /** Waits until a record is durable. */
    synchronized void await(long ticket) throws InterruptedException {
        while (upTo < ticket) {
            wait();
        }
    }
}
