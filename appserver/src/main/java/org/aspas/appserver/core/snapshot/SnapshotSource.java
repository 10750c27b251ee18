package org.aspas.appserver.core.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.StateView;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.certify.wire.SnapshotPull;

/**
 * Keeps the certified state at some certificates, and gives it in parts. All who ask share one view of each. Each peer has a budget of
 * bytes, and all clients together have one. A question beyond it waits for a later tick, of which each answers a few: the
 * thread of the core serves updates too. For one thread.
 */
public final class SnapshotSource extends CorePart {
    private static final long MIB = 1 << 20;
    /** The bytes that one peer gets per second. */
    private static final long PEER_BYTES = 16 * MIB;
    /** The bytes that all clients together get per second. */
    private static final long CLIENT_BYTES = 8 * MIB;
    /** The bytes that are given at once, before anybody waits. */
    private static final long BYTES_AT_ONCE = MIB;
    /** A tick answers so many questions of peers at most, and so many of clients: a part of small objects takes about 2 ms to make. */
    private static final int PEERS_A_TICK = 3;

    private static final int CLIENTS_A_TICK = 1;
    /** So many questions of one peer wait, or of one connection of a client; four times what a correct peer asks at once. */
    private static final int MOST_OF_ONE = 16;
    /** So many questions of all clients wait: at 256 KiB each what they get in four seconds. */
    private static final int MOST_OF_CLIENTS = 128;

    private final KeptSnapshots kept;
    private final Map<NodeId, ByteBudget> budgets = new TreeMap<>();
    private final ByteBudget ofClients = new ByteBudget(BYTES_AT_ONCE, CLIENT_BYTES);
    private final QuestionQueue<NodeId> peers;
    private final QuestionQueue<ConnectionId> clients = new QuestionQueue<>(MOST_OF_ONE, MOST_OF_CLIENTS);

    public SnapshotSource(CoreContext context, Logs logs, ObjectStore objects) {
        super(context);
        this.kept = new KeptSnapshots(context, logs, objects);
        settings.peers().forEach(peer -> budgets.put(peer, new ByteBudget(BYTES_AT_ONCE, PEER_BYTES)));
        this.peers = new QuestionQueue<>(MOST_OF_ONE, MOST_OF_ONE * Math.max(1, budgets.size()));
    }

    /**
     * A certificate was adopted, or its snapshot installed: objects and logs are those of it.
     *
     * @param began whether the entries that it added are not here
     * @param added the encoded bytes of the entries that it added
     */
    public void adopted(Certificate certificate, boolean began, long added) {
        kept.adopted(certificate, began, added);
    }

    /** The certificate of the oldest snapshot that peers get; none without one. */
    public CertificateNumber oldest() {
        return kept.oldest();
    }

    /** Another state takes the place of the certified one: what the base has of earlier ones is about to go. */
    public void forget() {
        kept.forget();
    }

    /** A link to a peer went down: what it asked is not answered. */
    public void gone(NodeId peer) {
        peers.gone(peer);
    }

    /** A client's connection ended: what it asked is not answered. */
    public void gone(ConnectionId client) {
        clients.gone(client);
    }

    /** Gives some of those that wait their turn. */
    public void tick() {
        kept.tick();
        for (int given = 0; given < PEERS_A_TICK && room(); given++) {
            peers.next(this::mayGive).ifPresent(turn -> give(turn.asker(), turn.pull()));
        }
        for (int given = 0; given < CLIENTS_A_TICK && room() && !clients.isEmpty(); given++) {
            if (!ofClients.mayGive(time.now())) {
                return;
            }
            clients.next(any -> true).ifPresent(turn -> give(turn.asker(), turn.pull()));
        }
    }

    /** Whether the disk keeps back so little that more may be added to it. */
    private boolean room() {
        return outbox.roomForParts() && !outbox.full(settings.limits().maxUnanswered());
    }

    private boolean mayGive(NodeId peer) {
        ByteBudget budget = budgets.get(peer);
        return budget != null && budget.mayGive(time.now());
    }

    /** Answers a peer, now or when its turn comes; one that asks for too much gets nothing. */
    public void answer(NodeId from, SnapshotPull pull) {
        if (!peers.waits(from) && room() && mayGive(from)) {
            give(from, pull);
        } else if (!budgets.containsKey(from) || peers.add(from, pull).isPresent()) {
            counters.count("refused_snapshot_pull");
        }
    }

    /**
     * Answers a client, now or when its turn comes, unless clients ask for too much. One that names no certificate gets the head of a
     * snapshot at the newest one, or of the one that clients are getting already.
     *
     * @return the refusal of this question
     */
    public Optional<Refusal> answer(ConnectionId from, SnapshotPull pull) {
        if (clients.isEmpty() && room() && ofClients.mayGive(time.now())) {
            give(from, pull);
            return Optional.empty();
        }
        Refusal refusal = new Refusal(0, true, Refusal.Reason.TOO_OFTEN, "wait a moment and ask again");
        Optional<ConnectionId> refused = clients.add(from, pull);
        refused.filter(one -> !one.equals(from)).ifPresent(other -> refuse(other, refusal));
        return refused.filter(from::equals).map(own -> refusal);
    }

    private void give(NodeId to, SnapshotPull pull) {
        ByteBudget budget = budgets.get(to);
        if (budget != null) {
            Optional<KeptSnapshots.Taken> newest = kept.forPeer(pull);
            Optional<KeptSnapshots.Taken> found = kept.find(pull.number(), newest);
            found.ifPresent(taken -> kept.used(to, taken));
            outbox.node(to, part(pull, found, newest, budget));
        }
    }

    private void give(ConnectionId to, SnapshotPull pull) {
        Optional<KeptSnapshots.Taken> usual = kept.forClient(pull);
        Optional<KeptSnapshots.Taken> found = kept.find(pull.number(), usual);
        found.ifPresent(kept::usedByClient);
        outbox.client(to, part(pull, found, usual, ofClients));
    }

    private SnapshotPart part(
            SnapshotPull pull,
            Optional<KeptSnapshots.Taken> found,
            Optional<KeptSnapshots.Taken> usual,
            ByteBudget budget) {
        SnapshotPull.Place place = pull.place();
        if (place == null) {
            SnapshotHead head =
                    found.or(() -> usual).map(taken -> taken.head).orElseGet(() -> new SnapshotHead(null, List.of()));
            budget.gave(bytes(head));
            return head;
        }
        counters.count("snapshot_chunks_sent");
        StateView.Part part = found.map(taken -> taken.view.part(pull.number(), place))
                .orElseGet(() -> new StateView.Part(new SnapshotChunk(pull.number(), place, null, List.of()), 0));
        budget.gave(part.bytes());
        return part.chunk();
    }

    /** About how long a head is: its last entries are what may be long. */
    private static long bytes(SnapshotHead head) {
        long bytes = 0;
        for (SnapshotHead.LogEnd end : head.logs()) {
            bytes += end.last() == null ? 0 : end.last().bytes().length;
        }
        return bytes;
    }

    public void measure(Map<String, Long> gauges) {
        gauges.put("snapshot_questions_waiting", (long) peers.size() + clients.size());
    }
}
