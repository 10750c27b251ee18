package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.certification.BaseHead;
import org.aspas.appserver.core.certification.BaseImages;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OriginLog;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.machine.Cuts;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;

/**
 * Writes the sum of all records when the journal has grown: with a base at the newest certificate or a later one, it says the same
 * as all records before it. It has the number of starts, that certificate with the ends of all logs, evidence, whether the
 * server is amnesiac, and every entry that is not certified. For one thread.
 */
public final class JournalCheckpoint extends CorePart {
    /** After so many bytes of records a sum is written, or after twice as many as the last sum had. */
    static final long GROWTH_BYTES = 8L << 20;
    /** A start costs the journal about as much as so many bytes of records: it begins a new segment. */
    static final long START_BYTES = 4L << 20;
    /** At an orderly end, a sum is written after this many bytes of records. */
    static final long END_BYTES = 64L << 10;

    private static final long MOST_BATCH_BYTES = 32L << 20;

    private final Logs logs;
    private final CertifiedHistory history;
    private final BaseImages images;
    private final EvidencePool evidence;
    private final CertificateVerifier verifier;
    private long starts;
    private long replayed;
    private long summed;
    private long growth = GROWTH_BYTES;
    /** Whether the base was ahead of the records: then these tell nothing more without it, and say so by a sum. */
    private boolean due;

    public JournalCheckpoint(
            CoreState context, Logs logs, CertifiedHistory history, BaseImages images, EvidencePool evidence) {
        super(context);
        this.logs = logs;
        this.history = history;
        this.images = images;
        this.evidence = evidence;
        this.verifier = new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
    }

    public void replayed(byte[] record) {
        replayed += record.length + (record[0] == Records.START ? START_BYTES : 0);
        if (record[0] == Records.SUM_END) {
            replayed = 0;
        }
    }

    /** How often the server has started, this time included. */
    public void started(long times) {
        starts = times;
    }

    /**
     * The server took from its base what its records do not tell. What it records from now on follows from that; the sum says so to a
     * start that finds the base gone.
     */
    public void baseAhead() {
        due = true;
        write();
    }

    public void tick() {
        if (due || grown() >= growth) {
            write();
        }
    }

    public void drain() {
        if (grown() >= END_BYTES) {
            write();
        }
    }

    private long grown() {
        return replayed + outbox.recordedBytes() - summed;
    }

    private void write() {
        Optional<Certificate> newest = history.newest();
        if (newest.isEmpty() || !settled(newest.get())) {
            return;
        }
        Optional<List<byte[]>> open = uncertified();
        if (open.isEmpty()) {
            return;
        }
        long before = outbox.recordedBytes();
        outbox.persist(Records.sum(starts, new BaseHead(images.ends(newest.get()), images.heads()).encode()));
        if (condition.amnesiac()) {
            outbox.persist(Records.amnesiac(condition.why()));
        }
        evidence.records().forEach(outbox::persist);
        open.get().forEach(outbox::persist);
        outbox.persist(Records.sumEnd());
        due = false;
        replayed = 0;
        summed = outbox.recordedBytes();
        growth = Math.max(GROWTH_BYTES, 2 * (summed - before));
        counters.count("journal_sums");
    }

    /** Whether nothing is under way that only the order of the records tells, and peers can give this state again. */
    private boolean settled(Certificate newest) {
        return verifier.verify(newest).isEmpty()
                && !history.incomplete()
                && !condition.diverged()
                && !logs.repairing()
                && logs.cuts().equals(new Cuts(newest.content().exclusions()));
    }

    /** The records of all entries that are not certified; empty when they are too many for that. */
    private Optional<List<byte[]>> uncertified() {
        List<byte[]> records = new ArrayList<>();
        for (int origin = 0; origin < settings.quorums().appservers(); origin++) {
            OriginLog log = logs.of(origin);
            long after = history.certified().get(origin);
            if (logs.madeHere(origin)) {
                for (long sequence = after + 1; sequence <= log.size(); sequence++) {
                    records.add(Records.ownEntry(log.encoded(sequence)));
                }
            } else if (log.uncertifiedBytes() > MOST_BATCH_BYTES) {
                return Optional.empty();
            } else {
                others(origin, log, after, records);
            }
        }
        return Optional.of(records);
    }

    private static void others(int origin, OriginLog log, long certified, List<byte[]> records) {
        long after = certified;
        for (Signed<Head> head : log.headsBetween(certified, log.size()).values()) {
            long end = head.message().size();
            records.add(Records.batch(new Batch(head, log.between(after, end))));
            after = end;
        }
        if (after < log.size()) {
            ConsistencyProof none = new ConsistencyProof(after, log.size(), List.of());
            CertifiedEntries rest =
                    new CertifiedEntries(origin, log.rootAt(after), none, log.between(after, log.size()), none);
            records.add(Records.certifiedEntries(rest, after));
        }
    }
}
