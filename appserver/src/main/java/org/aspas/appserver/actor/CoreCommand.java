package org.aspas.appserver.actor;

import java.util.concurrent.CompletableFuture;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.certify.durable.Ticket;

/** What the core's actor can be told. */
sealed interface CoreCommand {
    /** A client has connected. */
    record Open(ConnectionId connection, ClientOutlet outlet) implements CoreCommand {}

    /**
     * Something has happened.
     *
     * @param done completed when the core has handled it
     * @param nanos when the core was told, by {@link System#nanoTime}
     */
    record Happened(Event event, CompletableFuture<Object> done, long nanos) implements CoreCommand {
        /** Something happens now. */
        Happened(Event event, CompletableFuture<Object> done) {
            this(event, done, System.nanoTime());
        }
    }

    /** Records up to this ticket are durable. */
    record Durable(Ticket ticket) implements CoreCommand {}

    /** Records up to this ticket are written, and not durable yet. */
    record Written(Ticket ticket) implements CoreCommand {}

    /** A block of leaves is here, or is not to be had. */
    record Loaded(Event.LeavesLoaded event) implements CoreCommand {}

    /** Somebody asks how the core is. */
    record Ask(CompletableFuture<CoreStatus> reply) implements CoreCommand {}

    /** What needs no words. */
    enum Order implements CoreCommand {
        /** Time to tell the core what time it is. */
        TICK,
        /** End, after what was sent before. */
        STOP
    }
}
