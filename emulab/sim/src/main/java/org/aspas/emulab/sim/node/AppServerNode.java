package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.appserver.core.Alarm;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.ClientAdmission;
import org.aspas.appserver.core.ConnectionId;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.Effect;
import org.aspas.appserver.core.Event;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.durable.Ticket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.Frontier;
import org.aspas.certify.message.Head;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Monitor;
import org.aspas.emulab.sim.network.ClientLines;
import org.aspas.emulab.sim.network.Network;
import org.aspas.emulab.sim.network.Wire;
import org.jspecify.annotations.Nullable;

/** One appserver: a core, or two for a server that leads two lives, with disk, clock and links. */
public final class AppServerNode implements Network.Endpoint, ClientLines.Door {
    private static final long TICK_MILLIS = 20;

    /** What happens at a correct server that others want to know. */
    public interface Listener {
        /** The server alarmed. */
        void alarm(int server, Alarm alarm);

        /** The server sent something to a client. */
        void sent(int server, ConnectionId connection, Message message);

        /** The server adopted a certificate, or has it again after a restart. */
        void adopted(int server, Certificate certificate);
    }

    private final NodeId id;
    private final CoreSettings settings;
    private final ServerConduct conduct;
    private final boolean correct;
    private final World world;
    private final Listener listener;
    private final LocalClock clock;
    private final List<Life> lives = new ArrayList<>();
    private final Exit exit = new Exit();
    private long incarnation;
    private boolean up;
    private @Nullable Object lastEncoded;
    private @Nullable Wire lastWire;

    /**
     * A server that does not run yet.
     *
     * @param world what all parties share
     * @param settings the core's
     * @param conduct how it behaves
     * @param correct whether the conduct is a correct server's
     * @param diskMicros the longest time of a flush of its disk; 0 for none
     * @param clock its own idea of time
     * @param listener is told of what correct servers do
     */
    public AppServerNode(
            World world,
            CoreSettings settings,
            ServerConduct conduct,
            boolean correct,
            long diskMicros,
            LocalClock clock,
            Listener listener) {
        this.world = world;
        this.id = settings.self();
        this.settings = settings;
        this.conduct = conduct;
        this.correct = correct;
        this.clock = clock;
        this.listener = listener;
        for (int core = 0; core < conduct.cores(); core++) {
            lives.add(
                    new Life(core, new Disk(world.timeline(), world.chance().stream("disk" + id + core), diskMicros)));
        }
    }

    /** This server. */
    public NodeId id() {
        return id;
    }

    /** Whether it runs. */
    public boolean up() {
        return up;
    }

    /** Whether something waits to become durable. */
    public boolean writing() {
        return lives.stream().anyMatch(life -> !life.disk.idle());
    }

    /** Whether its conduct is a correct server's. */
    public boolean correct() {
        return correct;
    }

    /** What its disk would still have after a crash now, of the first core; not to be kept. */
    public List<byte[]> durable() {
        return lives.get(0).disk.durable();
    }

    /** The core that runs, the first one of two. */
    public Optional<AppServerCore> core() {
        return Optional.ofNullable(lives.get(0).core);
    }

    /** Something happens to its disks. */
    void disks(Consumer<Disk> what) {
        lives.forEach(life -> what.accept(life.disk));
    }

    /** Its disks take nothing from now on, or take everything again. */
    public void diskFull(boolean begins) {
        disks(disk -> disk.full(begins));
    }

    /** It forgets everything; it does not run now. */
    public void loseDisk() {
        disks(Disk::lose);
    }

    /** Its disks keep a copy of what is durable now. */
    public void keepCopyOfDisk() {
        disks(Disk::keepCopy);
    }

    /** Its disks hold again what was durable when the copy was made; it does not run now. */
    public void becomeCopyOfDisk() {
        disks(Disk::becomeCopy);
    }

    /**
     * Lets it crash at the next record of a kind, once.
     *
     * @param step which record
     * @param stays whether that record is durable already
     * @param crash ends it
     */
    public void crashAt(Predicate<byte[]> step, boolean stays, Runnable crash) {
        disks(disk -> disk.trap(new Disk.Trap(step, stays, crash)));
    }

    /** It does not crash at a record any more. */
    public void crashNowhere() {
        disks(disk -> disk.trap(null));
    }

    /** Starts, or starts again from what its disk kept. */
    public void start() {
        up = true;
        long mine = ++incarnation;
        lives.forEach(Life::start);
        world.network().start(id, this);
        world.lines().start(id, this);
        tick(mine);
    }

    /** Ends at once, without notice. */
    public void crash() {
        up = false;
        incarnation++;
        world.network().stop(id);
        world.lines().stop(id);
        lives.forEach(Life::crash);
        if (correct) {
            world.monitor().tell(invariant -> invariant.onCrashed(id.index()));
        }
    }

    private void tick(long mine) {
        if (mine != incarnation) {
            return;
        }
        Event tick = new Event.Tick(clock.millis(world.timeline().now()));
        lives.forEach(life -> life.step(tick));
        conduct.tick(exit);
        world.timeline().after(clock.micros(TICK_MILLIS), () -> tick(mine));
    }

    // ---- Links ----

    @Override
    public void connected(NodeId peer) {
        knowing(peer).forEach(life -> life.step(new Event.NodeConnected(peer)));
    }

    @Override
    public void gone(NodeId peer) {
        knowing(peer).forEach(life -> life.step(new Event.NodeGone(peer)));
    }

    @Override
    public void frame(NodeId from, Wire wire) {
        if (wire.decoded() instanceof Decoded.Accepted<Frame> accepted) {
            Frame shown = conduct.incoming(from, accepted.value());
            knowing(from).forEach(life -> life.step(new Event.NodeFrame(from, shown)));
            conduct.heard(from, accepted.value(), exit);
            if (correct) {
                List<Signed<Head>> heads = heads(from, accepted.value());
                world.monitor().tell(invariant -> invariant.onHeadsTaken(id.index(), heads));
            }
        }
    }

    /** The heads that appservers send each other. */
    private static List<Signed<Head>> heads(NodeId other, Frame frame) {
        if (other.role() == Role.APPSERVER && frame instanceof Frame.Plain plain) {
            if (plain.message() instanceof Batch batch) {
                return List.of(batch.head());
            }
            if (plain.message() instanceof Frontier frontier) {
                return frontier.heads();
            }
        }
        return List.of();
    }

    private List<Life> knowing(NodeId peer) {
        return lives.stream().filter(life -> conduct.knows(life.index, peer)).toList();
    }

    // ---- Clients ----

    @Override
    public void opened(ConnectionId connection) {
        lives.forEach(life -> life.step(new Event.ClientOpened(connection)));
    }

    @Override
    public void closed(ConnectionId connection) {
        lives.forEach(life -> life.step(new Event.ClientGone(connection)));
    }

    @Override
    public void frame(ConnectionId connection, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)
                || !ClientAdmission.fromClient(accepted.value())) {
            exit.client(connection, new Refusal(0, false, Refusal.Reason.MALFORMED, "the frame is refused"));
            world.lines().hangUp(connection);
            return;
        }
        for (Life life : lives) {
            if (conduct.takes(life.index, connection, accepted.value())) {
                life.client(connection, accepted.value());
            }
        }
    }

    private Wire wire(Frame frame) {
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

    private final class Exit implements ServerConduct.Exit {
        @Override
        public void node(NodeId to, Frame frame, long late) {
            world.network().send(id, to, wire(frame), late);
        }

        @Override
        public void nodeBytes(NodeId to, byte[] bytes) {
            world.network().send(id, to, new Wire(bytes), 0);
        }

        @Override
        public void client(ConnectionId connection, Message message) {
            world.lines().toClient(connection, Wire.of(message));
        }

        @Override
        public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
            world.lines().toClient(connection, Wire.of(signed));
        }

        @Override
        public void clientBytes(ConnectionId connection, byte[] bytes) {
            world.lines().toClient(connection, new Wire(bytes));
        }
    }

    /** One core with its disk. */
    private final class Life {
        final int index;
        final Disk disk;
        /** The numbers of the updates without an answer, by connection. */
        final Map<ConnectionId, List<Long>> unanswered = new TreeMap<>();

        @Nullable
        AppServerCore core;

        private @Nullable Certificate seen;
        private @Nullable Ticket durableNow;

        Life(int index, Disk disk) {
            this.index = index;
            this.disk = disk;
        }

        void start() {
            core = AppServerCore.recover(settings, disk.records());
            certificates();
        }

        void crash() {
            core = null;
            seen = null;
            unanswered.clear();
            disk.crash();
        }

        void client(ConnectionId connection, Frame frame) {
            if (frame instanceof Frame.Sealed sealed
                    && sealed.signed().message() instanceof Request request
                    && request.number() != 0) {
                unanswered.computeIfAbsent(connection, any -> new ArrayList<>()).add(request.number());
            }
            step(new Event.ClientFrame(connection, frame));
        }

        void step(Event event) {
            AppServerCore running = core;
            if (running == null) {
                return;
            }
            if (event instanceof Event.ClientGone gone) {
                unanswered.remove(gone.connection());
            }
            durableNow = null;
            running.step(event).forEach(this::carryOut);
            for (Ticket ticket = durableNow; ticket != null; ticket = durableNow) {
                durableNow = null;
                running.step(new Event.Persisted(ticket)).forEach(this::carryOut);
            }
            certificates();
            if (correct) {
                pending(running);
            }
            if (correct && disk.idle() && !unanswered.isEmpty()) {
                int open = unanswered.values().stream().mapToInt(List::size).sum();
                monitor().tell(invariant -> invariant.onDurable(id.index(), open));
                unanswered.clear();
            }
        }

        private void pending(AppServerCore running) {
            long most = settings.limits().maxPendingBytes();
            for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
                int whose = origin;
                long bytes = running.pendingBytes(origin);
                if (bytes > 0) {
                    monitor().tell(invariant -> invariant.onPending(id.index(), whose, bytes, most));
                }
            }
        }

        private Monitor monitor() {
            return world.monitor();
        }

        private void certificates() {
            AppServerCore running = core;
            Certificate newest =
                    running == null ? null : running.newestCertificate().orElse(null);
            if (newest != null && newest != seen) {
                seen = newest;
                if (correct) {
                    monitor().tell(invariant -> invariant.onAdopted(id.index(), newest));
                    listener.adopted(id.index(), newest);
                }
            }
        }

        private void carryOut(Effect effect) {
            if (effect instanceof Effect.ToClient toClient) {
                toClient(toClient.connection(), toClient.message());
            } else if (effect instanceof Effect.ToClientSigned toClient) {
                if (correct) {
                    listener.sent(
                            id.index(), toClient.connection(), toClient.signed().message());
                }
                conduct.toClientSigned(index, toClient.connection(), toClient.signed(), exit);
            } else if (effect instanceof Effect.ToNode toNode) {
                toNode(toNode.to(), new Frame.Plain(toNode.message()));
            } else if (effect instanceof Effect.ToNodeSigned toNode) {
                toNode(toNode.to(), new Frame.Sealed(toNode.signed()));
            } else if (effect instanceof Effect.Persist persist) {
                AppServerCore writer = core;
                boolean done = disk.append(persist.ticket(), persist.record(), ticket -> {
                    if (core == writer) {
                        step(new Event.Persisted(ticket));
                    }
                });
                durableNow = done ? persist.ticket() : durableNow;
            } else if (effect instanceof Effect.CloseClient close) {
                world.lines().hangUp(close.connection());
            } else if (effect instanceof Effect.Raise raise && correct) {
                Alarm alarm = raise.alarm();
                world.trace().remark(world.timeline().now(), id, alarm.toString());
                monitor().tell(invariant -> invariant.onAlarm(id.index(), alarm));
                listener.alarm(id.index(), alarm);
            }
        }

        private void toNode(NodeId to, Frame frame) {
            if (correct) {
                List<Signed<Head>> heads = heads(to, frame);
                monitor().tell(invariant -> invariant.onHeadsShown(id.index(), heads));
            }
            if (correct
                    && to.role() == Role.APPSERVER
                    && frame instanceof Frame.Plain plain
                    && plain.message() instanceof Batch batch
                    && batch.head().message().origin() == id.index()) {
                monitor()
                        .tell(invariant ->
                                invariant.onHead(id.index(), batch.head().message()));
            }
            if (conduct.knows(index, to)) {
                conduct.toNode(index, to, frame, exit);
            }
        }

        private void toClient(ConnectionId connection, Message message) {
            unanswered.computeIfPresent(connection, (key, numbers) -> {
                numbers.remove(closedUpdate(message));
                return numbers.isEmpty() ? null : numbers;
            });
            if (correct) {
                if (message instanceof Answer answer) {
                    monitor().tell(invariant -> invariant.onResponse(id.index(), answer.response()));
                }
                listener.sent(id.index(), connection, message);
            }
            conduct.toClient(index, connection, message, exit);
        }
    }

    /** The number of the update that a message answers or refuses; 0 for none. */
    private static Long closedUpdate(Message message) {
        if (message instanceof Answer answer && answer.response().message().isUpdate()) {
            return answer.response().message().reference();
        }
        return message instanceof Refusal refusal && !refusal.read() ? refusal.reference() : 0L;
    }

    /** The virtual time in whole seconds, for messages. */
    @Override
    public String toString() {
        return id + " at " + world.timeline().now() / Timeline.SECOND + " s";
    }
}
