package org.aspas.appserver.core.broadcast;

import org.aspas.appserver.core.broadcast.PeerTable.Peer;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;

/**
 * Sends own entries to each peer: in batches under signed heads, one batch at a time, clocked by the peer's acknowledgments. For
 * one thread.
 */
final class OwnBatches extends CorePart {
    private static final long CUT_MILLIS = 50;

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
        if (time.now() - cutAt >= CUT_MILLIS) {
            cutNow();
        }
        for (Peer peer : peers.all()) {
            boolean open = peer.version.get(settings.index()) < peer.sent;
            if (open && time.now() - peer.sentAt > settings.limits().repeatMillis()) {
                peer.sent = 0;
                counters.count("batches_repeated");
            }
            send(peer);
        }
    }

    /** Cuts a batch early when many entries have come since the last. */
    void appended() {
        if (logs.own().size() - cut >= settings.limits().maxBatchEntries() / 8 + 1) {
            cutNow();
            peers.all().forEach(this::send);
        }
    }

    private void cutNow() {
        if (logs.madeHere(settings.index()) && logs.own().size() > cut) {
            cut = logs.own().size();
            batches.ownHead(cut);
            cutAt = time.now();
        }
    }

    /** Sends a peer the next batch, if none is under way to it. */
    void send(Peer peer) {
        long acknowledged = peer.version.get(settings.index());
        boolean idle = peer.sent == 0 || acknowledged >= peer.sent;
        if (!peer.connected || !idle || acknowledged >= cut) {
            return;
        }
        batches.batchAfter(settings.index(), acknowledged).ifPresent(batch -> {
            peer.sent = batch.head().message().size();
            peer.sentAt = time.now();
            outbox.node(peer.id, batch);
            counters.count("batches_sent");
        });
    }
}
