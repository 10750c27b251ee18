package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.CommandAdmission;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.ReplicaSettings;

/**
 * The threads of a bftserver on its machine: two for the links, which verify what appservers send; one at a time steps the
 * core; one carries out its effects; and what the ordering library does for each command counts as one more.
 */
final class ReplicaThreads {
    private static final int LINK_THREADS = 2;

    private final World world;
    private final Processors processors;
    private final Costs costs;
    private final NodeId id;
    private final CommandAdmission admission;
    private final List<Machine.Lane> links = new ArrayList<>();
    private final Machine.Lane core;
    private final Machine.Lane order;
    private final Machine.Lane effects;
    private final Consumer<Effect> outlet;

    /**
     * Threads without work.
     *
     * @param outlet carries out an effect of the core
     */
    ReplicaThreads(World world, Processors processors, ReplicaSettings settings, Consumer<Effect> outlet) {
        this.world = world;
        this.processors = processors;
        this.costs = processors.costs();
        this.id = NodeId.bftserver(settings.replica());
        this.admission = new CommandAdmission(settings);
        this.outlet = outlet;
        Machine machine = processors.of(id);
        this.core = machine.lane();
        this.order = machine.lane();
        this.effects = machine.lane();
        for (int i = 0; i < LINK_THREADS; i++) {
            links.add(machine.lane());
        }
    }

    void received(NodeId from, Wire wire, Consumer<Wire> taker) {
        link(from).add(() -> {
            Wire own = new Wire(wire.bytes()); // What others have verified of it is not remembered here.
            long before = processors.signatures().nanos();
            admission.admits(from, own.command());
            long spent = cost(costs.linkReceive(), own)
                    + cost(costs.decode(), own)
                    + processors.signatures().nanos()
                    - before;
            return new Machine.Done(spent, () -> taker.accept(own));
        });
    }

    /** A word of another bftserver is here, for the core; the order counts what it costs to have it come. */
    void heard(NodeId from, Wire wire, Consumer<Wire> taker) {
        link(from).add(() -> {
            Wire own = new Wire(wire.bytes());
            boolean taken = admission.hears(from, own.command());
            return new Machine.Done(cost(costs.decode(), own), () -> {
                if (taken) {
                    taker.accept(own);
                }
            });
        });
    }

    /** The core is to take an event. */
    void happened(Event event, int bytes, Supplier<List<Effect>> step) {
        core.add(() -> {
            Stepped stepped = timed(StepKind.of(event), bytes, step);
            return new Machine.Done(stepped.nanos(), () -> carryOut(stepped.effects()));
        });
    }

    /** The core is to execute the next command of the order; after that, it may have the one after. */
    void ordered(Wire command, Supplier<List<Effect>> step, Runnable later) {
        int bytes = command.bytes().length;
        order.add(() -> new Machine.Done(
                processors.order(bytes),
                () -> core.add(() -> {
                    Stepped stepped = timed(StepKind.ofOrdered(command.label()), bytes, step);
                    return new Machine.Done(stepped.nanos() + cost(costs.decode(), command), () -> {
                        carryOut(stepped.effects());
                        later.run();
                    });
                })));
    }

    private record Stepped(long nanos, List<Effect> effects) {}

    private Stepped timed(String kind, int bytes, Supplier<List<Effect>> step) {
        long before = processors.signatures().nanos();
        processors.meter().begin();
        List<Effect> result = step.get();
        processors.meter().end(kind, bytes);
        return new Stepped(
                processors.step(kind, bytes) + processors.signatures().nanos() - before, result);
    }

    private void carryOut(List<Effect> all) {
        if (!all.isEmpty()) {
            effects.add(() -> new Machine.Done(0, () -> all.forEach(outlet)));
        }
    }

    void send(NodeId to, Wire wire) {
        link(to).add(() -> new Machine.Done(
                cost(costs.linkSend(), wire), () -> world.network().send(id, to, wire, 0)));
    }

    private Machine.Lane link(NodeId peer) {
        return links.get(peer.index() % LINK_THREADS);
    }

    private long cost(Linear way, Wire wire) {
        return processors.frame(way, wire.label(), wire.bytes().length);
    }
}
