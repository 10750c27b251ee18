package org.aspas.emulab.sim.node;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiFunction;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Frame;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.port.CallId;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientState;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Notice;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.network.Wire;
import org.aspas.emulab.sim.processor.Processors;
import org.jspecify.annotations.Nullable;

/**
 * A correct client: a core with a durable record, an application that works, a connection that is made again, and short
 * connections to other servers.
 */
public final class ClientNode {
    private static final long TICK_MILLIS = 250;

    /** What happens at a client that others want to know. */
    public interface Listener {
        /** A check of what its server sent failed, or the client ended. */
        void blamed(ClientNode client, Failure failure);

        /** The client told its application what becomes of its updates and its servers. */
        void told(ClientNode client, ClientEvent event);
    }

    private final World world;
    private final int index;
    private final String name;
    private final LocalClock clock;
    private final Application application;
    private final Listener listener;
    private final BiFunction<ClientState, Long, ClientCore> maker;
    private final Figures figures;
    private final Calls calls;
    private final ServerConnection connection;
    private final SideLines sides;
    private final ClientDisk disk;
    /** Its mailbox, where work takes time. */
    private final @Nullable ClientThread thread;
    /** What its disk took last. */
    private ClientState saved = ClientState.FRESH;

    private long tolerance;
    private ClientCore core;
    private long nextCall = 1;
    private boolean up;
    private boolean ended;
    private long incarnation;
    private long began;

    /**
     * A client that does not run yet.
     *
     * @param maker makes a core that goes on from a record, with a τ
     */
    public ClientNode(
            World world,
            int index,
            NodeId home,
            Application application,
            LocalClock clock,
            Figures figures,
            Listener listener,
            BiFunction<ClientState, Long, ClientCore> maker) {
        this.world = world;
        this.index = index;
        this.name = "client-" + index;
        this.application = application;
        this.tolerance = application.tolerance();
        this.clock = clock;
        this.listener = listener;
        this.maker = maker;
        this.figures = figures;
        this.calls = new Calls(world, index, name, figures);
        this.connection = new ServerConnection(world, name, index, home, this::step);
        this.sides = new SideLines(world, name, index, (from, frame) -> step(new Event.FromServer(from, frame)));
        this.core = maker.apply(ClientState.FRESH, tolerance);
        this.disk = new ClientDisk(name, world.chance().stream("disk " + name));
        Processors processors = world.processors();
        this.thread = processors == null ? null : new ClientThread(processors, index);
    }

    public ClientDisk disk() {
        return disk;
    }

    public int index() {
        return index;
    }

    /** The appserver that it talks to now. */
    public NodeId server() {
        return connection.server();
    }

    /** How many updates are unconfirmed, those among them that its record had. */
    public int unconfirmed() {
        return core.unconfirmed();
    }

    public boolean up() {
        return up;
    }

    public ConnectionId connection() {
        return connection.id();
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
        if (disk.takeForgot()) {
            calls.forgotten(record);
        }
        long mine = ++incarnation;
        began = world.timeline().now();
        world.monitor().tell(invariant -> invariant.onTolerance(index, tolerance));
        core = maker.apply(record, tolerance);
        connection.start(NodeId.appserver(core.server()));
        tick(mine);
    }

    /** Stops at once; only its record stays. */
    public void crash() {
        up = false;
        incarnation++;
        calls.crashed();
        connection.crash();
        sides.end();
        world.monitor().tell(invariant -> invariant.onRestarted(index));
    }

    /** Whether it runs and takes calls. */
    boolean working() {
        return up && !ended;
    }

    /** Lets the application work until a moment, once in this time on average. */
    public void work(long until, long meanPause) {
        application.work(this, until, meanPause);
    }

    void read(Event.ReadAsked read) {
        calls.asked(read);
        step(read);
    }

    public void submit(ClientUpdate update) {
        calls.submitted(update);
        int unconfirmed = core.unconfirmed();
        long waited = core.waited();
        step(new Event.Update(update.call(), update.key(), update.type(), update.operation()));
        figures.found(unconfirmed, core.waited() > waited, core.exposure());
    }

    /** The application sets τ: from 1, or 0 for unbounded. */
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

    private void step(Event event) {
        step(event, 0);
    }

    private void step(Event event, int bytes) {
        if (thread == null) {
            carryOut(core.step(event));
        } else {
            ConnectionId on = connection.id();
            thread.happened(event, bytes, () -> stale(event, on) ? List.of() : core.step(event), this::carryOut);
        }
    }

    /** A frame that waited while the client left its connection is dropped, as the shell does. */
    private boolean stale(Event event, ConnectionId on) {
        boolean frame = event instanceof Event.FrameReceived || event instanceof Event.FrameRejected;
        return frame && !on.equals(connection.id());
    }

    private void carryOut(List<Effect> effects) {
        long mine = incarnation;
        for (Effect effect : effects) {
            if (mine != incarnation) {
                return;
            }
            carryOut(effect);
        }
        world.monitor().tell(invariant -> invariant.onClientStep(index));
    }

    private void send(Frame frame) {
        calls.sent(frame, thread == null ? saved : null);
        connection.send(Wire.of(frame));
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
            complained(other.frame());
            sides.send(other.server(), other.frame());
        } else if (effect instanceof Effect.TurnTo turn) {
            connection.turnTo(NodeId.appserver(turn.server()));
        } else if (effect instanceof Effect.Happened happened) {
            calls.happened(happened.event());
            listener.told(this, happened.event());
        } else if (effect instanceof Effect.Persist persist) {
            persist(persist);
        } else if (effect instanceof Effect.Reconnect) {
            connection.end();
        } else if (effect instanceof Effect.Noticed noticed) {
            notice(noticed.notice());
        } else if (effect instanceof Effect.Ended end) {
            ended = true;
            world.trace().remark(world.timeline().now(), name, "ended: " + end.why());
            connection.endForGood();
            world.monitor().tell(invariant -> invariant.onEnded(index, end.why()));
            listener.blamed(this, end.why());
        } else {
            calls.take(effect);
            application.heard(this, effect);
        }
    }

    private void complained(Frame frame) {
        if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Complain complain) {
            world.monitor().tell(invariant -> invariant.onComplaint(index, complain.evidence()));
        }
    }

    private void notice(Notice notice) {
        if (notice instanceof Notice.SessionOpened) {
            connection.taken();
        } else if (notice instanceof Notice.VerificationFailed failed) {
            world.trace().remark(world.timeline().now(), name, failed.toString());
            Failure.NotVerified finding = new Failure.NotVerified(failed.check(), failed.detail());
            world.monitor().tell(invariant -> invariant.onNotVerified(index, server().index(), finding));
            listener.blamed(this, finding);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
