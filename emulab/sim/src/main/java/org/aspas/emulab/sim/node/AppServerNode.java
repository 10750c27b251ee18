package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.jspecify.annotations.Nullable;

/** One appserver: its cores under a observed, each with a disk, and clock and links. */
public final class AppServerNode implements Network.Endpoint, ClientLines.Door {
    private static final long TICK_MILLIS = 20;

    /** What happens at a correct server that others want to know. */
    public interface Listener {
        void alarm(int server, Alarm alarm);

        void sent(int server, ConnectionId connection, Message message);

        /** The server adopted a certificate, or has it again after a restart. */
        void adopted(int server, Certificate certificate);
    }

    /** Everything of a server that lasts from one start to its end. */
    private record Running(
            InstrumentedServer server, @Nullable ServerObserver observer) {}

    private final NodeId id;
    private final CoreSettings settings;
    private final ObservedBehavior observed;
    private final World world;
    private final @Nullable Listener listener;
    private final LocalClock clock;
    private final ServerDisks disks;
    private final Shell shell;
    /** Its threads, where work takes time. */
    private final @Nullable ServerThreads threads;

    /** What its shell does with frames of peers, where work takes no time. */
    private final PeerFrames frames;

    private @Nullable Running running;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean frozen;
    private long incarnation;
    private int backlogPercent;

    /**
     * A server that does not run yet.
     *
     * @param diskMicros the longest time of a flush of its disk; 0 for none
     * @param os whether answers to updates wait for the operating system only, and not for the disk
     * @param listener is told of what it does; null for a server that is not correct
     */
    public AppServerNode(
            World world,
            CoreSettings settings,
            ObservedBehavior observed,
            long diskMicros,
            boolean os,
            LocalClock clock,
            @Nullable Listener listener) {
        this.world = world;
        this.id = settings.self();
        this.settings = settings;
        this.observed = observed;
        this.clock = clock;
        this.listener = listener;
        this.disks = new ServerDisks(world, id, observed.behavior().cores(), diskMicros, os);
        this.shell = new Shell();
        this.frames = PeerFrames.atOnce(settings, listener != null, world.chance());
        this.threads = ServerThreads.where(world, settings, event -> observed(event, server -> server.step(event)));
    }

    /** Says how far its core is behind, from 0 to 100 percent; 0 where that is not said. */
    public AppServerNode behind(int percent) {
        backlogPercent = percent;
        return this;
    }

    public NodeId id() {
        return id;
    }

    public boolean up() {
        return running != null;
    }

    public boolean correct() {
        return listener != null;
    }

    public SessionTags tags() {
        return settings.tags();
    }

    public ServerDisks disks() {
        return disks;
    }

    /** The core that runs, the first one of two. */
    public Optional<AppServerCore> core() {
        return Optional.ofNullable(running).map(now -> now.server().first());
    }

    /** Starts, or starts again from what its disk kept. */
    public void start() {
        long mine = ++incarnation;
        frames.restarted();
        List<AppServerCore> cores = disks.cores(settings);
        ServerObserver observer = listener == null ? null : new ServerObserver(cores.get(0), settings, world, listener);
        running = new Running(new InstrumentedServer(cores, observed, shell), observer);
        if (observer != null) {
            observer.started();
        }
        world.network().start(id, this);
        world.lines().start(id, this);
        tick(mine);
    }

    /** Is told that it will end: it sends its clients away, and goes on with the others. */
    public void drain() {
        step(new Event.Drain());
    }

    /** Makes all durable that it wrote, as an end in order does; {@link #crash} is to follow. */
    public void close() {
        disks.close();
    }

    public void crash() {
        incarnation++;
        world.network().stop(id);
        world.lines().stop(id);
        running = null;
        frozen = false;
        waiting.clear();
        disks.crash();
        if (correct()) {
            world.monitor().check(new Fact.Crashed(id.index()));
        }
    }

    /** Lets it stand still, with its connections; what comes meanwhile waits. Or lets it go on. */
    public void freeze(boolean begins) {
        frozen = begins && up();
        if (!frozen) {
            List<Runnable> missed = List.copyOf(waiting);
            waiting.clear();
            missed.forEach(Runnable::run);
        }
    }

    private void tick(long mine) {
        if (mine == incarnation && frozen) {
            world.timeline().after(clock.micros(TICK_MILLIS), () -> tick(mine));
        } else if (mine == incarnation) {
            step(new Event.Tick(clock.millis(world.timeline().now()), backlogPercent));
            world.timeline().after(clock.micros(TICK_MILLIS), () -> tick(mine));
        }
    }

    private void step(Event event) {
        if (threads == null) {
            observed(event, server -> server.step(event));
        } else {
            threads.happened(event, 0);
        }
    }

    private void observed(Event event, Consumer<InstrumentedServer> step) {
        Running now = running;
        if (now == null) {
            return;
        }
        ServerObserver observer = now.observer();
        if (frozen) {
            waiting.add(() -> observed(event, step));
        } else if (observer == null) {
            timed(event, now, step);
        } else {
            observer.before(event);
            timed(event, now, step);
            observer.after(event, !disks.writing());
        }
    }

    private void timed(Event event, Running now, Consumer<InstrumentedServer> step) {
        if (threads == null) {
            step.accept(now.server());
        } else {
            threads.timed(event, now.server().first(), () -> step.accept(now.server()));
            shell.flush(threads);
        }
    }

    // ---- Links ----

    @Override
    public void connected(NodeId peer) {
        step(new Event.NodeConnected(peer));
    }

    @Override
    public void gone(NodeId peer) {
        step(new Event.NodeGone(peer));
    }

    @Override
    public void frame(NodeId from, Wire wire) {
        if (threads != null) {
            threads.fromPeer(from, wire);
        } else if (wire.decoded() instanceof Decoded.Accepted<Frame> accepted) {
            step(frames.event(from, accepted.value()));
        }
    }

    // ---- Clients ----

    @Override
    public void opened(ConnectionId connection) {
        step(new Event.ClientOpened(connection));
    }

    @Override
    public void closed(ConnectionId connection) {
        step(new Event.ClientGone(connection));
    }

    @Override
    public void frame(ConnectionId connection, Wire wire) {
        if (wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && ClientAdmission.fromClient(accepted.value())) {
            if (threads == null) {
                step(new Event.ClientFrame(connection, accepted.value()));
            } else {
                threads.fromClient(connection, accepted.value(), wire);
            }
        } else {
            Message refusal = new Refusal(0, false, Refusal.Reason.MALFORMED, "the frame is refused");
            world.lines().toClient(connection, Wire.of(refusal));
            world.lines().hangUp(connection);
        }
    }

    /** Carries out what leaves the server. */
    private final class Shell implements InstrumentedServer.Shell {
        private final ServerExit exit = new ServerExit(world, id);
        private final ServerStorage storage =
                new ServerStorage(world.timeline(), disks, () -> incarnation, AppServerNode.this::observed);
        /** What the step of the core sends that is being timed, in order. */
        private final List<Object> held = new ArrayList<>();

        private @Nullable ServerObserver observer() {
            return running == null ? null : running.observer();
        }

        @Override
        public boolean persist(int core, Effect.Persist record) {
            return storage.persist(core, record);
        }

        @Override
        public void keep(int core, Effect.Keep image) {
            disks.keep(core, image);
        }

        @Override
        public void leaves(int core, Effect.OfLeaves effect) {
            storage.leaves(core, effect);
        }

        @Override
        public void other(Effect effect) {
            ServerObserver observer = observer();
            if (effect instanceof Effect.CloseClient close && threads != null) {
                held.add(close);
            } else if (effect instanceof Effect.CloseClient close) {
                world.lines().hangUp(close.connection());
            } else if (effect instanceof Effect.BatchJudged judged) {
                judged.batch().judged(judged.outcome(), judged.size());
            } else if (effect instanceof Effect.Raise raise && observer != null) {
                observer.raises(raise.alarm());
            }
        }

        @Override
        public void send(Outgoing what) {
            if (threads == null) {
                noted(what);
                exit.leave(what);
            } else {
                held.add(what);
                threads.sends(what);
            }
        }

        private void noted(Outgoing what) {
            ServerObserver observer = observer();
            if (observer != null) {
                observer.sends(what);
            }
        }

        /** The step is over: gives what it sends to the threads that send it. */
        private void flush(ServerThreads to) {
            List<Object> all = List.copyOf(held);
            held.clear();
            for (Object what : all) {
                if (what instanceof Effect.CloseClient close) {
                    to.hangUp(close.connection());
                } else if (what instanceof Outgoing.ToNode node) {
                    noted(node);
                    to.encoded(node.to(), ConnectionId.NONE, exit.wire(node.frame()));
                } else if (what instanceof Outgoing.ToClient client) {
                    noted(client);
                    to.encoded(null, client.connection(), Wire.of(client.frame()));
                }
            }
        }
    }

    /** Where what leaves an appserver becomes bytes on the network. */
    private static final class ServerExit {
        private final World world;
        private final NodeId self;
        private @Nullable Object lastEncoded;
        private @Nullable Wire lastWire;

        ServerExit(World world, NodeId self) {
            this.world = world;
            this.self = self;
        }

        void leave(Outgoing what) {
            if (what instanceof Outgoing.ToNode node) {
                world.network().send(self, node.to(), wire(node.frame()), node.late());
            } else if (what instanceof Outgoing.BytesToNode node) {
                world.network().send(self, node.to(), new Wire(node.bytes()), 0);
            } else if (what instanceof Outgoing.ToClient client) {
                world.lines().toClient(client.connection(), Wire.of(client.frame()));
            } else if (what instanceof Outgoing.BytesToClient client) {
                world.lines().toClient(client.connection(), new Wire(client.bytes()));
            }
        }

        /** What goes to several servers is encoded once. */
        Wire wire(Frame frame) {
            Object content = frame instanceof Frame.Plain plain ? plain.message() : ((Frame.Sealed) frame).signed();
            Wire known = lastWire;
            if (content == lastEncoded && known != null) {
                return known;
            }
            Wire made = Wire.of(frame);
            lastEncoded = content;
            lastWire = made;
            return made;
        }
    }

    /** Carries out what an appserver's cores want of their disks, and tells them when it is done, unless the server has ended since. */
    private static final class ServerStorage {
        private final Timeline timeline;
        private final ServerDisks disks;
        private final LongSupplier life;
        private final BiConsumer<Event, Consumer<InstrumentedServer>> steps;

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
                BiConsumer<Event, Consumer<InstrumentedServer>> steps) {
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

        private void tell(long who, Event event, Consumer<InstrumentedServer> step) {
            if (life.getAsLong() == who) {
                steps.accept(event, step);
            }
        }
    }
}
