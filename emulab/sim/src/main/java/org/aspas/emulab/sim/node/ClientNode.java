package org.aspas.emulab.sim.node;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.port.CallId;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientState;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Notice;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.network.Wire;

/**
 * A correct client: a core with a durable record, an application that works, a connection that is made again, and short
 * connections to other servers.
 */
public final class ClientNode implements ClientLines.Caller {
    private static final long TICK_MILLIS = 250;
    private static final Backoff PAUSES = Backoff.of(100 * Timeline.MILLI, 5 * Timeline.SECOND);
    /** The values of τ between which applications choose. */
    public static final List<Long> TOLERANCES = List.of(1L, 4L, 16L, 0L);
    /** How often an application sets τ anew before it calls. */
    private static final double CHANGES_OF_TOLERANCE = 0.03;

    private final World world;
    private final int index;
    private final String name;
    private final LocalClock clock;
    private final Chance chance;
    private final Workload workload;
    private final BiConsumer<ClientNode, Failure> blame;
    private final BiConsumer<ClientNode, ClientEvent> told;
    private final BiFunction<ClientState, Long, ClientCore> maker;
    private final Chance whims;
    private final List<Long> tolerances;
    private final Calls calls;
    private final SideLines sides;
    private NodeId server;
    private final ClientDisk disk;
    /** What its disk took last. */
    private ClientState saved = ClientState.FRESH;

    private long tolerance;
    private ClientCore core;
    private long nextCall = 1;
    private ConnectionId connection = ConnectionId.NONE;
    private Backoff reconnecting = PAUSES;
    private boolean up;
    private boolean ended;
    private long incarnation;
    private long began;

    /**
     * A client that does not run yet.
     *
     * @param world what all parties share
     * @param index the client's index
     * @param home its appserver
     * @param tolerance the τ that its application sets first: from 1, or 0 for no bound
     * @param tolerances what it sets later, one of these now and then; with one of them it stays with the first
     * @param clock its own idea of time
     * @param workload what its application does
     * @param figures takes what it experiences
     * @param blame is told when a check of what its server sent failed
     * @param told is told of what becomes of its updates and its servers
     * @param maker makes a core that goes on from a record, with a τ
     */
    public ClientNode(
            World world,
            int index,
            NodeId home,
            long tolerance,
            List<Long> tolerances,
            LocalClock clock,
            Workload workload,
            Figures figures,
            BiConsumer<ClientNode, Failure> blame,
            BiConsumer<ClientNode, ClientEvent> told,
            BiFunction<ClientState, Long, ClientCore> maker) {
        this.world = world;
        this.index = index;
        this.name = "client-" + index;
        this.server = home;
        this.tolerance = tolerance;
        this.tolerances = List.copyOf(tolerances);
        this.clock = clock;
        this.chance = world.chance().stream(name);
        this.workload = workload;
        this.blame = blame;
        this.told = told;
        this.maker = maker;
        this.calls = new Calls(world, index, name, figures);
        this.sides = new SideLines(world, name, (from, frame) -> step(new Event.FromServer(from, frame)));
        this.whims = world.chance().stream("tolerance " + index);
        this.core = maker.apply(ClientState.FRESH, tolerance);
        this.disk = new ClientDisk(world.chance().stream("disk " + name));
    }

    /** Its disk. */
    public ClientDisk disk() {
        return disk;
    }

    /** Its index. */
    public int index() {
        return index;
    }

    /** The appserver that it talks to now. */
    public NodeId server() {
        return server;
    }

    /** Whether it runs. */
    public boolean up() {
        return up;
    }

    /** The present connection's number. */
    public ConnectionId connection() {
        return connection;
    }

    /** Starts, and goes on from its record; a record that cannot be read keeps it from starting. */
    public void start() {
        ClientState record;
        try {
            record = disk.load().orElse(ClientState.FRESH);
        } catch (UncheckedIOException refused) {
            world.trace().remark(world.timeline().now(), name, String.valueOf(refused.getMessage()));
            return;
        }
        up = true;
        saved = record;
        long mine = ++incarnation;
        began = world.timeline().now();
        world.monitor().tell(invariant -> invariant.onTolerance(index, tolerance));
        core = maker.apply(record, tolerance);
        server = NodeId.appserver(core.server());
        reconnecting = PAUSES;
        connect(mine);
        tick(mine);
    }

    /** Stops at once; only its record stays. */
    public void crash() {
        up = false;
        incarnation++;
        calls.crashed();
        world.lines().end(connection);
        connection = ConnectionId.NONE;
        sides.end();
        world.monitor().tell(invariant -> invariant.onRestarted(index));
    }

    /** Lets the application work until a moment, once in this time on average. */
    public void work(long until, long meanPause) {
        world.timeline().after(chance.waiting(meanPause), () -> {
            if (world.timeline().now() >= until) {
                return;
            }
            if (up && !ended) {
                act();
            }
            work(until, meanPause);
        });
    }

    private void act() {
        if (tolerances.size() > 1 && whims.happens(CHANGES_OF_TOLERANCE)) {
            tolerance(whims.pick(tolerances));
        }
        if (!up) {
            return; // The disk did not take what followed from it.
        }
        CallId call = newCall();
        if (workload.reads()) {
            Event.ReadAsked read = workload.read(call);
            calls.asked(read);
            step(read);
        } else {
            submit(workload.update(call));
        }
    }

    /** Submits an update. */
    public void submit(ClientUpdate update) {
        calls.submitted(update);
        step(new Event.Update(update.call(), update.key(), update.type(), update.operation()));
    }

    /** The application sets τ: from 1, or 0 for no bound. */
    public void tolerance(long other) {
        tolerance = other;
        world.monitor().tell(invariant -> invariant.onTolerance(index, other));
        step(new Event.ToleranceChanged(other));
    }

    /** A name for a call, never used before. */
    public CallId newCall() {
        return new CallId(nextCall++);
    }

    private void tick(long mine) {
        if (mine == incarnation && !ended) {
            step(new Event.Tick(clock.millis(world.timeline().now()) - clock.millis(began)));
            sides.tick();
            world.timeline().after(clock.micros(TICK_MILLIS), () -> tick(mine));
        }
    }

    private void connect(long mine) {
        if (mine == incarnation && !ended) {
            connection = world.lines().connect(name, server, this);
        }
    }

    @Override
    public void connected(ConnectionId number) {
        if (number.equals(connection)) {
            step(new Event.Connected());
        }
    }

    @Override
    public void frame(ConnectionId number, Wire wire) {
        if (!number.equals(connection)) {
            return;
        }
        if (wire.decoded() instanceof Decoded.Accepted<Frame> accepted) {
            step(new Event.FrameReceived(accepted.value()));
        } else {
            step(new Event.FrameRejected("no frame"));
        }
    }

    @Override
    public void closed(ConnectionId number) {
        if (!number.equals(connection) || !up) {
            return;
        }
        connection = ConnectionId.NONE;
        step(new Event.Disconnected("the connection is gone"));
        long mine = incarnation;
        long pause = reconnecting.pause();
        reconnecting = reconnecting.next();
        world.timeline().after(pause, () -> {
            if (connection.equals(ConnectionId.NONE)) {
                connect(mine);
            }
        });
    }

    private void turnTo(int next) {
        ConnectionId left = connection;
        connection = ConnectionId.NONE;
        server = NodeId.appserver(next);
        world.lines().end(left);
        long mine = incarnation;
        // Not within the core's step: what it does next belongs to the new connection.
        world.timeline().after(0, () -> {
            if (connection.equals(ConnectionId.NONE)) {
                connect(mine);
            }
        });
    }

    private void step(Event event) {
        long mine = incarnation;
        for (Effect effect : core.step(event)) {
            if (mine != incarnation) {
                return;
            }
            carryOut(effect);
        }
        world.monitor().tell(invariant -> invariant.onClientStep(index));
    }

    private void send(Frame frame) {
        calls.sent(frame, saved);
        world.lines().toServer(connection, Wire.of(frame));
    }

    /** A client whose record cannot be written ends, as the production one does. */
    private void persist(Effect.Persist persist) {
        try {
            disk.save(persist.record());
            saved = persist.record();
            step(new Event.Persisted(persist.ticket()));
        } catch (UncheckedIOException failed) {
            world.trace().remark(world.timeline().now(), name, String.valueOf(failed.getMessage()));
            crash();
        }
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.Send send) {
            send(send.frame());
        } else if (effect instanceof Effect.ToServer other) {
            sides.send(other.server(), other.frame());
        } else if (effect instanceof Effect.TurnTo turn) {
            turnTo(turn.server());
        } else if (effect instanceof Effect.Happened happened) {
            calls.happened(happened.event());
            told.accept(this, happened.event());
        } else if (effect instanceof Effect.Persist persist) {
            persist(persist);
        } else if (effect instanceof Effect.Reconnect) {
            world.lines().end(connection);
        } else if (effect instanceof Effect.Noticed noticed) {
            notice(noticed.notice());
        } else if (effect instanceof Effect.Ended end) {
            ended = true;
            world.trace().remark(world.timeline().now(), name, "ended: " + end.why());
            world.lines().end(connection);
            world.monitor().tell(invariant -> invariant.onEnded(index, end.why()));
            blame.accept(this, end.why());
        } else {
            calls.take(effect);
        }
    }

    private void notice(Notice notice) {
        if (notice instanceof Notice.SessionOpened) {
            reconnecting = PAUSES;
        } else if (notice instanceof Notice.VerificationFailed failed) {
            world.trace().remark(world.timeline().now(), name, failed.toString());
            Failure.NotVerified finding = new Failure.NotVerified(failed.check(), failed.detail());
            world.monitor().tell(invariant -> invariant.onNotVerified(index, server.index(), finding));
            blame.accept(this, finding);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
