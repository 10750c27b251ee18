package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.Monitor;
import org.jspecify.annotations.Nullable;

/** Tells the guarantees, and a listener, what one correct appserver does from one start to its end. */
final class ServerObserver {
    private final int server;
    private final AppServerCore core;
    private final CoreSettings settings;
    private final World world;
    private final Monitor monitor;
    private final AppServerNode.Listener listener;
    /** The connections that stand: what comes later on another one is dropped. */
    private final Set<ConnectionId> standing = new HashSet<>();
    /** The numbers of the updates without an answer, by connection. */
    private final Map<ConnectionId, List<Long>> unanswered = new TreeMap<>();

    /** The proofs of which the server said that it has them, and which a crash would lose. */
    private final List<Alarm.ProvedFaulty> unstored = new ArrayList<>();

    private @Nullable Certificate seen;

    ServerObserver(AppServerCore core, CoreSettings settings, World world, AppServerNode.Listener listener) {
        this.server = settings.index();
        this.core = core;
        this.settings = settings;
        this.world = world;
        this.monitor = world.monitor();
        this.listener = listener;
    }

    /** The core is about to take an event. */
    void before(Event event) {
        if (event instanceof Event.ClientOpened opened) {
            standing.add(opened.connection());
        } else if (event instanceof Event.ClientGone gone) {
            standing.remove(gone.connection());
            unanswered.remove(gone.connection());
        } else if (event instanceof Event.ClientFrame client
                && standing.contains(client.connection())
                && client.frame() instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Request request
                && request.number() != 0) {
            unanswered
                    .computeIfAbsent(client.connection(), any -> new ArrayList<>())
                    .add(request.number());
        }
    }

    /**
     * The server has carried out all that followed from an event.
     *
     * @param durable whether its disk has all that the core wrote
     */
    void after(Event event, boolean durable) {
        adopted();
        pending();
        if (durable && !unanswered.isEmpty()) {
            int open = unanswered.values().stream().mapToInt(List::size).sum();
            monitor.check(new Fact.Durable(server, open));
            unanswered.clear();
        }
        if (durable) {
            unstored.forEach(proof -> monitor.check(new Fact.ProofStored(server, proof)));
            unstored.clear();
        }
        if (event instanceof Event.Tick) {
            forgotten();
        }
        if (event instanceof Event.NodeFrame node) {
            List<Signed<Head>> heads = heads(node.from(), node.frame());
            if (!heads.isEmpty()) {
                monitor.check(new Fact.HeadsReceived(server, heads));
            }
        } else if (event instanceof Event.NodeBatch node) {
            monitor.check(
                    new Fact.HeadsReceived(server, List.of(node.batch().batch().head())));
        }
    }

    /** The server has taken up where its disk ends. */
    void started() {
        monitor.check(new Fact.Started(server, core.status()));
        adopted();
    }

    /** Looks at the newest certificate. */
    void adopted() {
        Certificate newest = core.newestCertificate().orElse(null);
        if (newest != null && newest != seen) {
            seen = newest;
            monitor.check(new Fact.Adopted(server, newest));
            listener.adopted(server, newest);
        }
    }

    private void forgotten() {
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            long entries = core.forgotten(origin);
            if (entries > 0) {
                monitor.check(new Fact.EntriesPruned(server, origin, entries));
            }
        }
    }

    private void pending() {
        long most = settings.limits().maxPendingBytes();
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            long bytes = core.pendingBytes(origin);
            if (bytes > 0) {
                monitor.check(new Fact.EntriesPending(server, origin, bytes, most));
            }
        }
    }

    void sends(Outgoing what) {
        if (what instanceof Outgoing.ToNode node) {
            toNode(node.to(), node.frame());
        } else if (what instanceof Outgoing.ToClient client && client.frame() instanceof Frame.Sealed sealed) {
            listener.sent(server, client.connection(), sealed.signed().message());
        } else if (what instanceof Outgoing.ToClient client && client.frame() instanceof Frame.Plain plain) {
            toClient(client.connection(), plain.message());
        }
    }

    private void toNode(NodeId to, Frame frame) {
        List<Signed<Head>> heads = heads(to, frame);
        if (!heads.isEmpty()) {
            monitor.check(new Fact.HeadsSent(server, heads));
        }
        if (to.role() == Role.APPSERVER
                && frame instanceof Frame.Plain plain
                && plain.message() instanceof Batch batch
                && batch.head().message().origin() == server) {
            monitor.check(new Fact.OwnHeadSent(server, batch.head().message()));
        }
    }

    private void toClient(ConnectionId connection, Message message) {
        unanswered.computeIfPresent(connection, (key, numbers) -> {
            numbers.remove(closedUpdate(message));
            return numbers.isEmpty() ? null : numbers;
        });
        if (message instanceof Answer answer) {
            monitor.check(new Fact.Responded(server, answer.response()));
        }
        listener.sent(server, connection, message);
    }

    /** The number of the update that a message answers or refuses; 0 for none. */
    private static Long closedUpdate(Message message) {
        if (message instanceof Answer answer && answer.response().message().isUpdate()) {
            return answer.response().message().reference();
        }
        return message instanceof Refusal refusal && !refusal.read() ? refusal.reference() : 0L;
    }

    void raises(Alarm alarm) {
        world.trace().remark(world.timeline().now(), settings.self(), alarm.toString());
        monitor.check(new Fact.Alarmed(server, alarm));
        listener.alarm(server, alarm);
        if (alarm instanceof Alarm.ProvedFaulty proof) {
            unstored.add(proof);
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
}
