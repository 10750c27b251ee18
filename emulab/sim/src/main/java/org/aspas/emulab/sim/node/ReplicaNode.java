package org.aspas.emulab.sim.node;

import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.TotalOrder;
import org.aspas.certify.replica.BftServerCore;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.emulab.sim.invariant.Fact;
import org.jspecify.annotations.Nullable;

/** One bftserver: the production core with clock, links, order and record. A restart loses all but the record. */
public final class ReplicaNode implements Network.Endpoint, Sequencer.Member {
    private final NodeId id;
    private final World world;
    private final ReplicaSettings settings;
    private final Sequencer sequencer;
    private final TotalOrder order;
    private final LocalClock clock;
    private final ReplicaEffects effects;
    private final ReplicaRecord record;
    /** Its threads, where work takes time. */
    private final @Nullable ReplicaThreads threads;

    private BftServerCore core;
    private boolean up;
    private boolean cutOff;
    private boolean blank;
    private long incarnation;

    /** A bftserver that does not run yet. Its disk takes up to so many microseconds; it tells whom it convicts. */
    public ReplicaNode(
            World world,
            ReplicaSettings settings,
            Sequencer sequencer,
            ReplicaBehavior behavior,
            LocalClock clock,
            long diskMicros,
            IntConsumer convicted) {
        this.id = NodeId.bftserver(settings.replica());
        this.world = world;
        this.settings = settings;
        this.sequencer = sequencer;
        this.clock = clock;
        this.record = new ReplicaRecord(world, id, settings.members().deployment(), diskMicros);
        this.core = core(record.state());
        this.order = sequencer.join(this);
        Processors processors = world.processors();
        this.threads = processors == null ? null : new ReplicaThreads(world, processors, settings, this::carryOut);
        this.effects = new ReplicaEffects(
                world, settings, behavior, order, this::send, persist -> record.write(persist, this::step), convicted);
    }

    private void send(NodeId to, Wire wire) {
        if (to.role() == Role.BFTSERVER) {
            sequencer.carry(id.index(), to.index(), wire);
        } else if (threads == null) {
            world.network().send(id, to, wire, 0);
        } else {
            threads.send(to, wire);
        }
    }

    private void carryOut(Effect effect) {
        effects.carryOut(effect);
    }

    private BftServerCore core(RecordState held) {
        byte[] start = ("start " + id + " " + incarnation).getBytes(StandardCharsets.UTF_8);
        return new BftServerCore(settings, held, Hash.sha256(start));
    }

    public NodeId id() {
        return id;
    }

    public ReplicaRecord record() {
        return record;
    }

    /** What it is doing, for whoever has to explain a violation. */
    public String describe() {
        return id + ": " + core + (up ? "" : ", down");
    }

    /** Starts for the first time. */
    public void start() {
        up = true;
        long mine = ++incarnation;
        sequencer.enter(id.index(), blank);
        world.network().start(id, this);
        world.timeline().every(clock.micros(core.tickMillis()), () -> mine == incarnation, this::tick);
        world.timeline().every(clock.micros(settings.stepMillis()), () -> mine == incarnation, effects::act);
    }

    public void crash() {
        up = false;
        incarnation++;
        order.close();
        world.network().stop(id);
        record.crash();
        blank = true;
        world.monitor().check(new Fact.ReplicaCrashed(id.index()));
    }

    /** Starts again; while its record cannot be used, this is tried again until it can, or until the next crash. */
    public void restart() {
        record.open(held -> {
            core = core(held);
            start();
        });
    }

    /** Cuts it off from the other bftservers, or lets it take part again. */
    public void cutOff(boolean cut) {
        cutOff = cut;
        if (cut) {
            order.close();
        } else {
            sequencer.enter(id.index(), blank);
        }
    }

    public boolean isCutOff() {
        return cutOff;
    }

    private void tick() {
        step(new Event.Tick(clock.millis(world.timeline().now()), order.isReady(), order.leads()));
    }

    @Override
    public void connected(NodeId peer) {
        step(new Event.Connected(peer));
    }

    @Override
    public void frame(NodeId from, Wire wire) {
        if (from.role() == Role.APPSERVER && threads != null) {
            threads.received(from, wire, own -> step(new Event.Received(from, own.command())));
        } else if (from.role() == Role.APPSERVER) {
            step(new Event.Received(from, wire.command()));
        }
    }

    @Override
    public void heard(NodeId from, Wire word) {
        effects.heard(word);
        if (threads == null) {
            step(new Event.Heard(from, word.command()));
        } else {
            threads.heard(from, word, own -> step(new Event.Heard(from, own.command())));
        }
    }

    @Override
    public boolean ready() {
        return up && !cutOff;
    }

    @Override
    public byte[] apply(Wire command) {
        if (!up) {
            return new byte[0];
        }
        effects.ordered(command);
        byte[] answer = core.apply(command.command());
        step(new Event.Advanced());
        return answer;
    }

    @Override
    public boolean goesOn(Wire command, Runnable later) {
        if (threads == null || !up) {
            apply(command);
            return false;
        }
        Wire own = new Wire(command.bytes());
        threads.ordered(
                own,
                () -> {
                    effects.ordered(own);
                    core.apply(own.command());
                    return core.step(new Event.Advanced());
                },
                later);
        return true;
    }

    @Override
    public byte[] snapshot() {
        return core.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
        core.restore(snapshot);
        blank = false;
        step(new Event.Advanced());
    }

    private void step(Event event) {
        if (threads == null) {
            core.step(event).forEach(effects::carryOut);
        } else {
            int bytes = event instanceof Event.Received received
                    ? received.command().bytes().length
                    : 0;
            threads.happened(event, bytes, () -> core.step(event));
        }
    }
}
