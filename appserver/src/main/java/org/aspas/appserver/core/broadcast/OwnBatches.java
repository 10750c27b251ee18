package org.aspas.appserver.core.broadcast;

import org.aspas.appserver.core.broadcast.PeerTable.Peer;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;

/**
 * Sends own entries to each peer, in batches under signed heads. Heads follow the load: one is cut when entries wait, {@value
 * #LEAST_MILLIS} ms after the last while nothing waits for this core, and up to {@value #MOST_MILLIS} ms after it when events do. The
 * next batch leaves while a peer has less than a full one to acknowledge. For one thread.
 */
final class OwnBatches extends CorePart {
    private static final long LEAST_MILLIS = 5;
    private static final long MOST_MILLIS = 100;

    private final Logs logs;
    private final LogBatches batches;
    private final PeerTable peers;
    private long cut;
    private long cutAt = Long.MIN_VALUE / 2;

    OwnBatches(CoreContext context, Logs logs, LogBatches batches, PeerTable peers) {
        super(context);
        this.logs = logs;
        this.batches = batches;
        this.peers = peers;
    }

    /** Cuts and sends what is due, and sends again what was not acknowledged. */
    void tick() {
        if (due()) {
            cutNow();
        }
        for (Peer peer : peers.all()) {
            if (peer.overdue(settings.index(), time.now(), settings.limits().repeatMillis())) {
                peer.sent = 0;
                counters.count("batches_repeated");
            }
            send(peer);
        }
    }

    /** Own entries may have come: a head is cut when it is due, or when many have come since the last; whether it was. */
    boolean appended() {
        long before = cut;
        long waiting = logs.own().size() - before;
        if (waiting > settings.limits().maxBatchEntries() / 8 || (waiting > 0 && due())) {
            cutNow();
            peers.all().forEach(this::send);
        }
        return cut > before;
    }

    private boolean due() {
        return time.now() - cutAt >= time.pause(LEAST_MILLIS, MOST_MILLIS);
    }

    private void cutNow() {
        if (logs.madeHere(settings.index()) && logs.own().size() > cut) {
            cut = logs.own().size();
            batches.ownHead(cut);
            cutAt = time.now();
        }
    }

    /** Sends a peer the next batch, unless too much is under way to it. */
    void send(Peer peer) {
        long acknowledged = peer.version.get(settings.index());
        long after = Math.max(peer.sent, acknowledged);
        boolean room = after - acknowledged < settings.limits().maxBatchEntries();
        if (!peer.connected || !room || after >= cut) {
            return;
        }
        batches.batchAfter(settings.index(), after).ifPresent(batch -> {
            if (after == acknowledged) {
                peer.heardAt = time.now();
            }
            peer.sent = batch.head().message().size();
            outbox.node(peer.id, logs.ownTags().with(batch, peer.id.index()));
            counters.count("batches_sent");
        });
    }
}
