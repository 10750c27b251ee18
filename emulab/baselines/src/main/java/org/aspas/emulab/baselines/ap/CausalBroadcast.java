package org.aspas.emulab.baselines.ap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Pull;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.baselines.shell.NoSignatures;

/**
 * Spreads entries as the appserver's broadcast does, with the same batches, times and messages: own entries in batches, one
 * under way to each peer, acknowledged by a frontier; frontiers now and then; questions to whoever has what is missing. For one
 * thread.
 */
final class CausalBroadcast {
    private static final long CUT_MILLIS = 50;
    private static final long PATIENCE_MILLIS = 300;
    private static final long PULL_MILLIS = 100;
    private static final int BATCHES_PER_PULL = 4;
    private static final long NEVER = Long.MIN_VALUE / 2;

    /** What is known of another server. */
    private static final class Peer {
        VersionVector version;
        /** The size of the own log up to which a batch is under way; 0 for none. */
        long sent;

        long sentAt;
        boolean connected;

        Peer(VersionVector nothing) {
            this.version = nothing;
        }
    }

    private final CoreSettings settings;
    private final CausalLogs logs;
    private final Map<NodeId, Peer> peers = new TreeMap<>();
    private final List<Effect> effects = new ArrayList<>();
    private final long[] progressAt;
    private final long[] pulledAt;
    private int turn;
    private long now = NEVER;
    private long cut;
    private long cutAt = NEVER;
    private long frontierAt = NEVER;

    CausalBroadcast(CoreSettings settings, CausalLogs logs) {
        this.settings = settings;
        this.logs = logs;
        int servers = settings.quorums().appservers();
        VersionVector nothing = VersionVector.zero(servers);
        settings.peers().forEach(peer -> peers.put(peer, new Peer(nothing)));
        this.progressAt = new long[servers];
        this.pulledAt = new long[servers];
        Arrays.fill(progressAt, NEVER);
        Arrays.fill(pulledAt, NEVER);
    }

    /** The effects since the last call. */
    List<Effect> take() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    void connected(NodeId node) {
        find(node).ifPresent(peer -> {
            peer.connected = true;
            peer.sent = 0;
            effects.add(new Effect.ToNode(node, frontier()));
        });
    }

    void gone(NodeId node) {
        find(node).ifPresent(peer -> peer.connected = false);
    }

    private Optional<Peer> find(NodeId node) {
        return Optional.ofNullable(peers.get(node));
    }

    private Frontier frontier() {
        return new Frontier(logs.version(), List.of(), CertificateNumber.NONE);
    }

    /** Own entries came: enough of them are sent at once, without waiting for the next tick's cut. */
    void appended() {
        if (logs.size(settings.index()) - cut >= settings.limits().maxBatchEntries() / 8 + 1) {
            cutNow();
            peers.forEach(this::send);
        }
    }

    private void cutNow() {
        if (logs.size(settings.index()) > cut) {
            cut = logs.size(settings.index());
            cutAt = now;
        }
    }

    void tick(long nowMillis) {
        now = nowMillis;
        if (now - cutAt >= CUT_MILLIS) {
            cutNow();
        }
        peers.forEach((node, peer) -> {
            boolean open = peer.version.get(settings.index()) < peer.sent;
            if (open && now - peer.sentAt > settings.limits().repeatMillis()) {
                peer.sent = 0;
            }
            send(node, peer);
        });
        if (now - frontierAt >= settings.limits().frontierMillis()) {
            frontierAt = now;
            Frontier frontier = frontier();
            peers.forEach((node, peer) -> {
                if (peer.connected) {
                    effects.add(new Effect.ToNode(node, frontier));
                }
            });
        }
        pull();
    }

    /** Sends a peer the next batch of own entries, if none is under way to it. */
    private void send(NodeId node, Peer peer) {
        long acknowledged = peer.version.get(settings.index());
        boolean idle = peer.sent == 0 || acknowledged >= peer.sent;
        if (peer.connected && idle && acknowledged < cut) {
            Batch batch = batch(settings.index(), acknowledged);
            peer.sent = batch.head().message().size();
            peer.sentAt = now;
            effects.add(new Effect.ToNode(node, batch));
        }
    }

    private Batch batch(int origin, long after) {
        List<byte[]> entries = logs.after(
                origin,
                after,
                settings.limits().maxBatchEntries(),
                settings.limits().maxBatchBytes());
        return new Batch(NoSignatures.seal(new Head(origin, after + entries.size(), Hash.ZERO)), entries);
    }

    void frontier(NodeId from, Frontier frontier) {
        find(from).ifPresent(peer -> {
            if (frontier.version().size() == progressAt.length) {
                peer.version = frontier.version();
                send(from, peer);
            }
        });
    }

    /**
     * Takes a batch from a peer, and acknowledges it.
     *
     * @return what can be delivered now, in a causal order
     */
    List<Entry> batch(NodeId from, OpenBatch open) {
        Batch batch = open.batch();
        Head head = batch.head().message();
        long before = head.size() - batch.entries().size();
        List<Entry> delivered = List.of();
        BatchOutcome outcome = BatchOutcome.BAD_HEAD;
        if (head.origin() < progressAt.length && before >= 0 && head.origin() != settings.index()) {
            outcome = accept(open, (int) (logs.size(head.origin()) - before));
            delivered = logs.deliver();
        }
        if (outcome == BatchOutcome.ADDED) {
            progressAt[head.origin()] = now;
        }
        long size = head.origin() < progressAt.length ? logs.size(head.origin()) : 0;
        effects.add(new Effect.BatchJudged(open, outcome, size));
        if (outcome == BatchOutcome.ADDED || outcome == BatchOutcome.KNOWN) {
            effects.add(new Effect.ToNode(from, frontier()));
        }
        return delivered;
    }

    private BatchOutcome accept(OpenBatch open, int known) {
        int entries = open.batch().entries().size();
        if (known < 0) {
            return BatchOutcome.GAP;
        }
        for (int place = known; place < entries; place++) {
            byte[] encoded = open.batch().entries().get(place);
            Optional<Entry> entry = open.entry(place);
            if (entry.isEmpty() || !logs.accept(entry.get(), encoded)) {
                return BatchOutcome.BROKEN_ENTRY;
            }
        }
        return known < entries ? BatchOutcome.ADDED : BatchOutcome.KNOWN;
    }

    void answer(NodeId from, Pull pull) {
        if (pull.origin() < 0 || pull.origin() >= progressAt.length || pull.after() < 0) {
            return;
        }
        long after = pull.after();
        for (int batches = 0; batches < BATCHES_PER_PULL && after < logs.size(pull.origin()); batches++) {
            Batch batch = batch(pull.origin(), after);
            effects.add(new Effect.ToNode(from, batch));
            after = batch.head().message().size();
        }
    }

    /** Asks somebody for what is missing of each origin and does not come by itself. */
    private void pull() {
        for (int origin = 0; origin < progressAt.length; origin++) {
            long held = logs.size(origin);
            boolean due = now - progressAt[origin] >= PATIENCE_MILLIS && now - pulledAt[origin] >= PULL_MILLIS;
            List<NodeId> holders = due && origin != settings.index() ? holders(origin, held) : List.of();
            if (!holders.isEmpty()) {
                pulledAt[origin] = now;
                NodeId chosen = holders.get(Math.floorMod(turn++, holders.size()));
                effects.add(new Effect.ToNode(chosen, new Pull(origin, held)));
            }
        }
    }

    private List<NodeId> holders(int origin, long held) {
        List<NodeId> holders = new ArrayList<>();
        peers.forEach((node, peer) -> {
            if (peer.connected && peer.version.get(origin) > held) {
                holders.add(node);
            }
        });
        return holders;
    }
}
