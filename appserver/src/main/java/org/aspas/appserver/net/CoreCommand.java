package org.aspas.appserver.net;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.certify.step.Ticket;

/** What the core's actor can be told. */
sealed interface CoreCommand {
    record Open(ConnectionId connection, ClientOutlet outlet) implements CoreCommand {}

    /**
     * An event that the core is to handle.
     *
     * @param done completed when the core has handled it
     * @param nanos when the core was told, by {@link System#nanoTime}
     */
    record Happened(Event event, CompletableFuture<Object> done, long nanos) implements CoreCommand {
        Happened(Event event, CompletableFuture<Object> done) {
            this(event, done, System.nanoTime());
        }
    }

    /** Records up to this ticket are durable. */
    record Durable(Ticket ticket) implements CoreCommand {}

    /** Records up to this ticket are written, and not durable yet. */
    record Written(Ticket ticket) implements CoreCommand {}

    record Loaded(Event.LeavesLoaded event) implements CoreCommand {}

    /**
     * Replaces the set of watched objects.
     *
     * @param watcher told what happens to them, on the core's thread
     */
    record Watch(Set<String> keys, Consumer<List<ObjectChange>> watcher) implements CoreCommand {}

    /**
     * A question about objects.
     *
     * @param question asked on the core's thread
     */
    record Query<T>(Function<ObjectQueries, T> question, CompletableFuture<T> reply) implements CoreCommand {
        void answer(ObjectQueries objects) {
            reply.complete(question.apply(objects));
        }
    }

    record Ask(CompletableFuture<CoreStatus> reply) implements CoreCommand {}

    /** Commands without arguments. */
    enum Order implements CoreCommand {
        TICK,
        /** Stops after the commands that were sent before. */
        STOP
    }
}
