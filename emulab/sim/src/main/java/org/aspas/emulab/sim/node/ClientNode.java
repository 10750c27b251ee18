package org.aspas.emulab.sim.node;

import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.client.core.CallId;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.ClientState;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.client.core.Notice;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.invariant.Fact;
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
        world.monitor().check(new Fact.ToleranceSet(index, tolerance));
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
        world.monitor().check(new Fact.ClientStopped(index));
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
        world.monitor().check(new Fact.ToleranceSet(index, other));
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
        world.monitor().check(new Fact.StepDone(index));
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
            world.monitor().check(new Fact.ClientEnded(index, end.why()));
            listener.blamed(this, end.why());
        } else {
            calls.take(effect);
            application.heard(this, effect);
        }
    }

    private void complained(Frame frame) {
        if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Complain complain) {
            world.monitor().check(new Fact.Complained(index, complain.evidence()));
        }
    }

    private void notice(Notice notice) {
        if (notice instanceof Notice.SessionOpened) {
            connection.taken();
        } else if (notice instanceof Notice.VerificationFailed failed) {
            world.trace().remark(world.timeline().now(), name, failed.toString());
            Failure.NotVerified finding = new Failure.NotVerified(failed.check(), failed.detail());
            world.monitor().check(new Fact.NotVerified(index, server().index(), finding));
            listener.blamed(this, finding);
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** The mailbox of a client on the machine that it shares with others. */
    private static final class ClientThread {
        private final Processors processors;
        private final Costs costs;
        private final Machine.Lane mailbox;

        ClientThread(Processors processors, int client) {
            this.processors = processors;
            this.costs = processors.costs();
            this.mailbox = processors.ofClient(client).lane();
        }

        /**
         * The client's core is to take an event.
         *
         * @param bytes the length of the frame that came, or 0
         * @param outlet carries out what follows, when the time for it is over
         */
        void happened(Event event, int bytes, Supplier<List<Effect>> step, Consumer<List<Effect>> outlet) {
            mailbox.add(() -> {
                String kind = StepKind.of(event);
                String label = event instanceof Event.FrameReceived received ? StepKind.name(received.frame()) : "";
                long before = processors.signatures().nanos();
                processors.meter().begin();
                List<Effect> effects = step.get();
                processors.meter().end(kind, bytes);
                long nanos =
                        processors.step(kind, bytes) + processors.signatures().nanos() - before;
                if (bytes > 0) {
                    nanos += processors.frame(costs.clientReceive(), label, bytes)
                            + processors.frame(costs.decode(), label, bytes);
                }
                for (Effect effect : effects) {
                    nanos += sending(effect);
                }
                return new Machine.Done(nanos, () -> outlet.accept(effects));
            });
        }

        private long sending(Effect effect) {
            if (!(effect instanceof Effect.Send send)) {
                return 0;
            }
            Wire wire = Wire.of(send.frame());
            int bytes = wire.bytes().length;
            String label = StepKind.name(send.frame());
            return processors.frame(costs.encode(), label, bytes) + processors.frame(costs.clientSend(), label, bytes);
        }
    }

    /**
     * A client's short connections to appservers that it has no session with, made when there is something to send and ended
     * when nothing came or went for long. What cannot be sent is dropped; the core asks again.
     */
    private static final class SideLines {
        private static final int MOST_QUEUED = 64;
        private static final long IDLE = 10 * Timeline.SECOND;

        private final World world;
        private final String name;
        private final int place;
        private final BiConsumer<Integer, Frame> taker;
        private final Map<Integer, Side> sides = new TreeMap<>();

        /**
         * No connections yet.
         *
         * @param place the index of the client whose they are
         * @param taker takes a frame with the index of the appserver that it came from
         */
        SideLines(World world, String name, int place, BiConsumer<Integer, Frame> taker) {
            this.world = world;
            this.name = name;
            this.place = place;
            this.taker = taker;
        }

        void send(int server, Frame frame) {
            sides.computeIfAbsent(server, Side::new).send(Wire.of(frame));
        }

        void tick() {
            long now = world.timeline().now();
            List.copyOf(sides.values()).stream()
                    .filter(side -> now - side.moved >= IDLE)
                    .forEach(Side::end);
        }

        void end() {
            List.copyOf(sides.values()).forEach(Side::end);
        }

        private final class Side implements ClientLines.Caller {
            final int to;
            final ArrayDeque<Wire> queue = new ArrayDeque<>();
            final ConnectionId number;
            boolean stands;
            long moved;

            Side(int to) {
                this.to = to;
                this.number = world.lines().connect(name, NodeId.appserver(to), this);
            }

            void send(Wire wire) {
                moved = world.timeline().now();
                if (stands) {
                    world.lines().toServer(number, wire);
                } else if (queue.size() < MOST_QUEUED) {
                    queue.add(wire);
                }
            }

            void end() {
                sides.remove(to, this);
                world.lines().end(number);
            }

            @Override
            public int place() {
                return place;
            }

            @Override
            public void connected(ConnectionId connected) {
                stands = true;
                while (!queue.isEmpty()) {
                    world.lines().toServer(number, queue.remove());
                }
            }

            @Override
            public void frame(ConnectionId received, Wire wire) {
                moved = world.timeline().now();
                if (sides.get(to) == this && wire.decoded() instanceof Decoded.Accepted<Frame> accepted) {
                    taker.accept(to, accepted.value());
                }
            }

            @Override
            public void closed(ConnectionId gone) {
                sides.remove(to, this);
            }
        }
    }
}
