package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a correct appserver on its machine, as docs/threads.md lists them: two for the links, a lane for
 * each peer's frames and each client's connection, and the core's own. What a step of the core sends leaves when the step's
 * time is over, and after the time that the sending takes.
 */
final class ServerThreads {
    private static final int LINK_THREADS = 2;

    /** What leaves for a server or a client; without a frame, the end of the client's connection. */
    private record Leaving(
            @Nullable NodeId node,
            ConnectionId connection,
            @Nullable Wire wire) {}

    private final World world;
    private final Processors processors;
    private final Costs costs;
    private final CoreSettings settings;
    private final Machine machine;
    private final Machine.Lane core;
    private final List<Machine.Lane> links = new ArrayList<>();
    private final Map<NodeId, Machine.Lane> inboxes = new HashMap<>();
    private final Map<ConnectionId, Machine.Lane> connections = new HashMap<>();
    private final PeerFrames peers;
    private final ClientAdmission admission;
    private final Consumer<Event> step;
    private final List<Leaving> leaving = new ArrayList<>();
    private @Nullable Wire lastEncoded;
    private boolean stating;
    private long eventBytes;
    private long nanos;

    /**
     * Threads without work; null where work takes no time.
     *
     * @param step lets the core take an event, within {@link #timed}
     */
    static @Nullable ServerThreads where(World world, CoreSettings settings, Consumer<Event> step) {
        Processors processors = world.processors();
        return processors == null ? null : new ServerThreads(world, processors, settings, step);
    }

    private ServerThreads(World world, Processors processors, CoreSettings settings, Consumer<Event> step) {
        this.world = world;
        this.processors = processors;
        this.costs = processors.costs();
        this.settings = settings;
        this.machine = processors.of(settings.self());
        this.core = machine.lane();
        this.peers = new PeerFrames(settings);
        this.admission = new ClientAdmission(
                settings.verifier(),
                settings.admits(),
                settings.limits().maxRequestBytes(),
                settings.tags().enabled());
        this.step = step;
        for (int i = 0; i < LINK_THREADS; i++) {
            links.add(machine.lane());
        }
    }

    // ---- In ----

    /** A frame of a correct peer is here. */
    void fromPeer(NodeId from, Wire wire) {
        Machine.Lane inbox = inboxes.computeIfAbsent(from, any -> machine.lane());
        link(from)
                .add(() -> new Machine.Done(
                        cost(costs.linkReceive(), wire), () -> inbox.add(() -> decodedOfPeer(from, wire.bytes()))));
    }

    private Machine.Done decodedOfPeer(NodeId from, byte[] bytes) {
        Wire own = new Wire(bytes); // What others have verified of it is not remembered here.
        long before = processors.signatures().nanos();
        if (!(own.decoded() instanceof Decoded.Accepted<Frame> accepted)) {
            return new Machine.Done(0, () -> {});
        }
        Event event = peers.event(from, accepted.value());
        long spent = cost(costs.decode(), own) + processors.signatures().nanos() - before;
        return new Machine.Done(spent, () -> happened(event, bytes.length));
    }

    /** A frame of a client is here, of those that clients send. */
    void fromClient(ConnectionId connection, Frame frame, Wire wire) {
        connection(connection).add(() -> {
            long before = processors.signatures().nanos();
            admission.refusal(frame);
            long spent = cost(costs.serverReceive(), wire)
                    + cost(costs.decode(), wire)
                    + processors.signatures().nanos()
                    - before;
            return new Machine.Done(
                    spent, () -> happened(new Event.ClientFrame(connection, frame), wire.bytes().length));
        });
    }

    void happened(Event event, int bytes) {
        if (event instanceof Event.ClientGone gone) {
            connections.remove(gone.connection());
        }
        core.add(() -> {
            leaving.clear();
            lastEncoded = null;
            eventBytes = bytes;
            nanos = 0;
            long before = processors.signatures().nanos();
            step.accept(event);
            nanos += processors.signatures().nanos() - before;
            List<Leaving> all = List.copyOf(leaving);
            return new Machine.Done(nanos, () -> all.forEach(this::leave));
        });
    }

    // ---- The core's step ----

    /** Runs a step of the core, and takes down what it costs. */
    void timed(Event event, AppServerCore server, Runnable run) {
        long certified = certified(server);
        stating = false;
        processors.meter().begin();
        run.run();
        long adopted = certified(server) - certified;
        String kind = StepKind.of(event);
        long size = eventBytes;
        if (adopted > 0) {
            kind += StepKind.ADOPTING;
            size = adopted;
        } else if (stating) {
            kind += StepKind.STATING;
            size = Math.max(0, sum(server.version()) - certified);
        }
        processors.meter().end(kind, size);
        nanos += processors.step(kind, size);
    }

    private static long certified(AppServerCore server) {
        return server.newestCertificate()
                .map(newest -> sum(newest.content().version()))
                .orElse(0L);
    }

    private static long sum(VersionVector version) {
        long sum = 0;
        for (int origin = 0; origin < version.size(); origin++) {
            sum += version.get(origin);
        }
        return sum;
    }

    // ---- Out ----

    void sends(Outgoing what) {
        stating |= what instanceof Outgoing.ToNode node
                && node.frame() instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Stable;
    }

    /** The core's thread has encoded a frame, and hands it on. */
    void encoded(@Nullable NodeId to, ConnectionId connection, Wire wire) {
        if (wire != lastEncoded) {
            nanos += cost(costs.encode(), wire);
            lastEncoded = wire;
        }
        leaving.add(new Leaving(to, connection, wire));
    }

    /** The core ends a client's connection after what it has sent. */
    void hangUp(ConnectionId connection) {
        leaving.add(new Leaving(null, connection, null));
    }

    private void leave(Leaving what) {
        NodeId node = what.node();
        Wire wire = what.wire();
        if (wire == null) {
            connection(what.connection())
                    .add(() -> new Machine.Done(0, () -> world.lines().hangUp(what.connection())));
        } else if (node == null) {
            connection(what.connection())
                    .add(() -> new Machine.Done(
                            cost(costs.serverSend(), wire), () -> world.lines().toClient(what.connection(), wire)));
        } else {
            link(node)
                    .add(() -> new Machine.Done(
                            cost(costs.linkSend(), wire), () -> world.network().send(settings.self(), node, wire, 0)));
        }
    }

    private Machine.Lane link(NodeId peer) {
        return links.get(peer.index() % LINK_THREADS);
    }

    private Machine.Lane connection(ConnectionId connection) {
        return connections.computeIfAbsent(connection, any -> machine.lane());
    }

    private long cost(Linear way, Wire wire) {
        return processors.frame(way, wire.label(), wire.bytes().length);
    }
}
