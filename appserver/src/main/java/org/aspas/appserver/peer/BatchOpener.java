package org.aspas.appserver.peer;

import java.util.concurrent.atomic.AtomicLongArray;
import org.aspas.appserver.core.port.BatchOutcome;
import org.aspas.appserver.core.port.EarlyLook;
import org.aspas.appserver.core.port.OpenBatch;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Head;

/**
 * Decodes the entries of peers' batches and verifies their clients' signatures outside the core's thread, so that the core's
 * thread answers clients meanwhile. Where the tag beside an entry is right, no signature is verified. It decides nothing: the core asks everything again, and finds the answers remembered.
 * Entries are looked at under a rightly signed head only, without a gap before them, and the same place of a log once, so
 * that a peer that repeats itself costs no more than before; where the core refused a batch, the same places are looked at
 * again in the next. Thread-safe.
 */
final class BatchOpener {
    private final VerifiedHeads heads;
    private final EarlyLook look;
    private final AtomicLongArray opened;

    BatchOpener(Descriptor descriptor, VerifiedHeads heads, SessionTags tags) {
        this.heads = heads;
        this.look = new EarlyLook(descriptor::admits, descriptor.verifier(), tags);
        this.opened = new AtomicLongArray(descriptor.quorums().appservers());
    }

    OpenBatch open(Batch batch) {
        Head head = batch.head().message();
        long first = head.size() - batch.entries().size() + 1;
        if (head.origin() < 0 || head.origin() >= opened.length() || first < 1 || !heads.genuine(batch.head())) {
            return OpenBatch.closed(batch);
        }
        OpenBatch.Listener listener = (outcome, size) -> judged(head.origin(), outcome, size);
        long before =
                opened.getAndUpdate(head.origin(), mark -> first - 1 <= mark ? Math.max(mark, head.size()) : mark);
        if (first - 1 > before) {
            return OpenBatch.closed(batch, listener);
        }
        int skipped =
                (int) Math.max(0, Math.min(before - first + 1, batch.entries().size()));
        OpenBatch open = OpenBatch.openedFrom(batch, skipped, listener);
        for (int place = skipped; place < batch.entries().size(); place++) {
            look.at(open, place);
        }
        return open;
    }

    /** What was looked at and not taken comes again; what the core has by other ways need not be looked at. */
    private void judged(int origin, BatchOutcome outcome, long size) {
        if (outcome == BatchOutcome.CUT || outcome == BatchOutcome.OWN) {
            opened.set(origin, Long.MAX_VALUE);
        } else if (outcome == BatchOutcome.ADDED || outcome == BatchOutcome.KNOWN || outcome == BatchOutcome.PRUNED) {
            opened.accumulateAndGet(origin, size, Math::max);
        } else {
            opened.set(origin, size);
        }
    }
}
