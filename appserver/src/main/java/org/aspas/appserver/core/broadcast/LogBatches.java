package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;

/** Makes what leaves of the logs: heads of the own log, batches of any log, and entries that lead to a certified root. */
final class LogBatches {
    /** How many batches one question for entries is answered with. */
    private static final int BATCHES_PER_PULL = 4;

    private final CoreSettings settings;
    private final Logs logs;

    LogBatches(CoreSettings settings, Logs logs) {
        this.settings = settings;
        this.logs = logs;
    }

    /** Signs a head over a number of own entries, unless there is one. */
    Signed<Head> ownHead(long size) {
        OriginLog own = logs.own();
        Optional<Signed<Head>> known = own.headAt(size);
        if (known.isPresent()) {
            return known.get();
        }
        Signed<Head> head = settings.sealer().seal(new Head(settings.index(), size, own.rootAt(size)));
        own.retain(head);
        return head;
    }

    /** Batches of an origin's entries after a place, as far as they go in one answer. */
    List<Batch> batchesAfter(int origin, long after) {
        List<Batch> batches = new ArrayList<>();
        long from = after;
        while (batches.size() < BATCHES_PER_PULL) {
            Optional<Batch> next = batchAfter(origin, from);
            if (next.isEmpty()) {
                break;
            }
            batches.add(next.get());
            from = next.get().head().message().size();
        }
        return batches;
    }

    /** The next batch of an origin's entries after a place, if there are any under a signed head. */
    Optional<Batch> batchAfter(int origin, long after) {
        OriginLog log = logs.of(origin);
        if (after < log.pruned() || after >= log.size()) {
            return Optional.empty();
        }
        int entries = settings.limits().maxBatchEntries();
        int bytes = settings.limits().maxBatchBytes();
        Optional<Signed<Head>> head = logs.madeHere(origin)
                ? Optional.of(ownHead(log.fitting(after, entries, bytes)))
                : log.cutAfter(after, entries, bytes);
        return head.map(cut -> new Batch(cut, log.between(after, cut.message().size())));
    }

    /**
     * Entries of an origin after a place, as far as they go in one answer, with the proofs that they lead to the log at a
     * certified size; none when that size is not held.
     */
    List<CertifiedEntries> certifiedAfter(int origin, long after, long size) {
        OriginLog log = logs.of(origin);
        List<CertifiedEntries> answers = new ArrayList<>();
        long from = after;
        while (answers.size() < BATCHES_PER_PULL
                && from >= log.pruned()
                && log.knowsRoot(from)
                && from < size
                && size <= log.size()) {
            long end = log.fitting(
                    from, settings.limits().maxBatchEntries(), settings.limits().maxBatchBytes());
            end = Math.min(end, size);
            answers.add(new CertifiedEntries(
                    origin,
                    log.rootAt(from),
                    log.proveConsistency(from, size),
                    log.between(from, end),
                    log.proveConsistency(end, size)));
            from = end;
        }
        return answers;
    }
}
