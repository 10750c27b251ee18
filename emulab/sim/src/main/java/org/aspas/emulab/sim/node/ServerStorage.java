package org.aspas.emulab.sim.node;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.emulab.sim.engine.Timeline;

/** Carries out what an appserver's cores want of their disks, and tells them when it is done, unless the server has ended since. */
final class ServerStorage {
    private final Timeline timeline;
    private final ServerDisks disks;
    private final LongSupplier life;
    private final BiConsumer<Event, Consumer<ConductedServer>> steps;

    /**
     * The storage of one server.
     *
     * @param life which of its lives it lives now
     * @param steps takes what happens, and what the server does then
     */
    ServerStorage(
            Timeline timeline,
            ServerDisks disks,
            LongSupplier life,
            BiConsumer<Event, Consumer<ConductedServer>> steps) {
        this.timeline = timeline;
        this.disks = disks;
        this.life = life;
        this.steps = steps;
    }

    /** Appends a record; whether it is durable at once. */
    boolean persist(int core, Effect.Persist record) {
        long writer = life.getAsLong();
        if (disks.os()) {
            Event.Written event = new Event.Written(record.ticket());
            timeline.after(1, () -> tell(writer, event, server -> server.written(core, event)));
        }
        return disks.append(core, record, ticket -> {
            Event.Persisted event = new Event.Persisted(ticket);
            tell(writer, event, server -> server.persisted(core, event));
        });
    }

    /** Keeps hashes of leaves, or gives them back. */
    void leaves(int core, Effect.OfLeaves effect) {
        long reader = life.getAsLong();
        disks.leaves(core, effect, loaded -> tell(reader, loaded, server -> server.loaded(core, loaded)));
    }

    private void tell(long who, Event event, Consumer<ConductedServer> step) {
        if (life.getAsLong() == who) {
            steps.accept(event, step);
        }
    }
}
