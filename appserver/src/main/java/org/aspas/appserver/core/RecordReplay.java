package org.aspas.appserver.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.certification.BaseHead;
import org.aspas.appserver.core.certification.BaseImages;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.certification.LeafBlockRoots;
import org.aspas.appserver.core.certification.LogsCut;
import org.aspas.appserver.core.certification.Snapshot;
import org.aspas.appserver.core.certification.SnapshotBootstrap;
import org.aspas.appserver.core.certification.StoredSum;
import org.aspas.appserver.core.certification.VerifiedHead;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.log.Amnesia;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OwnRecords;
import org.aspas.appserver.core.object.CertifiedState;
import org.aspas.appserver.core.object.StateLoading;
import org.aspas.appserver.core.session.Applier;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaves;

/**
 * Brings a server to where its store ends. First comes what its base holds, when that is verified; then it does again what the records
 * say that it did, in order, but for what the base covers. Records that begin with a sum need a base at least as new as that; without
 * one the server waits for a snapshot ({@link org.aspas.appserver.core.certification.SnapshotBootstrap}). For one thread.
 */
final class RecordReplay extends CorePart {
    private final Logs logs;
    private final OwnRecords own;
    private final EntryIntake intake;
    private final CertifiedHistory history;
    private final Certification certification;
    private final Adoption adoption;
    private final Applier applier;
    private final EvidencePool evidence;
    private final Amnesia amnesia;
    private final Snapshots snapshots;
    private final SnapshotBootstrap bootstrap;
    private final BaseImages images;
    private final JournalCheckpoint checkpoint;
    /** Whether the records tell all from the first one on. */
    private boolean whole = true;

    /** Whether the deployment began with the state of another one: its own entries were never here. */
    private boolean foundedFrom;

    private long starts;
    private long ownSeen;
    /** The newest certificate of which the records tell. */
    private CertificateNumber told = CertificateNumber.NONE;

    private boolean baseAhead;

    RecordReplay(
            CoreState context,
            Logs logs,
            EntryIntake intake,
            CertifiedHistory history,
            Certification certification,
            Adoption adoption,
            Applier applier,
            EvidencePool evidence,
            Amnesia amnesia,
            Snapshots snapshots,
            JournalCheckpoint checkpoint) {
        super(context);
        this.logs = logs;
        this.own = new OwnRecords(logs);
        this.intake = intake;
        this.history = history;
        this.certification = certification;
        this.adoption = adoption;
        this.applier = applier;
        this.evidence = evidence;
        this.amnesia = amnesia;
        this.snapshots = snapshots;
        this.bootstrap = snapshots.foundation();
        this.images = snapshots.images();
        this.checkpoint = checkpoint;
    }

    /**
     * Takes all that a store gives back.
     *
     * @return how often the server started before
     * @throws IllegalStateException when a record is not one of this server after those before it
     */
    long run(StoredHistory stored) {
        Iterator<byte[]> records = stored.iterator();
        byte[] first = records.hasNext() ? records.next() : null;
        Optional<StoredSum> begin = Optional.ofNullable(first)
                .filter(record -> record.length > 0 && record[0] == Records.SUM)
                .map(StoredSum::of);
        outbox.replaying(true);
        Optional<SavedState> saved = stored.base()
                .flatMap(base -> SavedState.of(base, settings, stored.reader().room()))
                .filter(found ->
                        begin.filter(one -> one.number().isAfter(number(found))).isEmpty());
        Optional<Effect.Keep> held = saved.map(this::load);
        intake.trusting(true);
        begin.ifPresent(one -> begin(one, saved.isPresent()));
        if (first != null) {
            take(first);
            records.forEachRemaining(this::take);
        }
        intake.trusting(false);
        outbox.replaying(false);
        amnesia.replayed();
        held.ifPresent(outbox::keep);
        history.newest()
                .filter(newest -> saved.filter(found -> newest.number().equals(number(found)))
                        .isEmpty())
                .ifPresent(images::adopted);
        saved.ifPresent(this::lookForOwnLoss);
        lookForContradiction();
        baseAhead = saved.filter(found -> number(found).isAfter(told)).isPresent();
        snapshots.repairDependencies();
        return starts;
    }

    /** Whether the base had certificates of which the records do not tell: it need not be durable, nor follow them. */
    boolean baseAhead() {
        return baseAhead;
    }

    private static CertificateNumber number(SavedState saved) {
        return saved.snapshot().head().certificate().number();
    }

    private Effect.Keep load(SavedState saved) {
        whole = false;
        adoption.loaded(snapshots.load(saved.snapshot()), saved.leaves());
        saved.heads().forEach(intake::restore);
        counters.count("bases_loaded");
        return images.held(saved.snapshot().head().certificate());
    }

    private void begin(StoredSum begin, boolean based) {
        whole = false;
        ownSeen = begin.ends().get(settings.index()).size();
        if (!based) {
            bootstrap.ownEnd(begin.ends().get(settings.index()));
            bootstrap.lose(begin.number());
        }
    }

    /** The base has own entries of which the journal knows nothing: the journal is an older one. */
    private void lookForOwnLoss(SavedState saved) {
        LogEdge own = saved.snapshot().head().ends().get(settings.index());
        if (own.size() > ownSeen && !condition.amnesiac()) {
            snapshots.lostOwn(own, ownSeen);
        }
    }

    /** A server that signed two histories of its log must sign nothing more. Later records usually say so, but they may be lost. */
    private void lookForContradiction() {
        if (own.contradiction() > 0) {
            amnesia.begin(
                    "own entry " + own.contradiction() + " of its journal contradicts the certified ones of its base");
        }
    }

    private void take(byte[] record) {
        if (record.length == 0) {
            throw new IllegalStateException("the store holds an empty record");
        }
        checkpoint.replayed(record);
        byte[] body = Records.body(record);
        switch (record[0]) {
            case Records.OWN_ENTRY -> ownSeen = Math.max(ownSeen, own.restore(body, whole));
            case Records.BATCH -> restore(stored(body, Batch.class));
            case Records.CERTIFIED_ENTRIES -> restore(stored(body, CertifiedEntries.class));
            case Records.CERTIFICATE -> restore(stored(body, Certificate.class));
            case Records.EXCLUSION -> exclusion(stored(body, Certificate.class));
            case Records.TAKEN_BACK -> takenBack(body);
            case Records.EVIDENCE -> evidence.restore(stored(body, Evidence.class));
            case Records.REFUSED -> evidence.restore(stored(body, Blacklist.class));
            case Records.AMNESIAC -> amnesia.restore(new String(body, StandardCharsets.UTF_8));
            case Records.SNAPSHOT_HEAD -> head(stored(body, SnapshotHead.class));
            case Records.SNAPSHOT_CHUNK -> chunk(stored(body, SnapshotChunk.class));
            case Records.SNAPSHOT_INSTALLED -> installed(stored(body, Certificate.class));
            case Records.FOUNDED_FROM -> founded();
            case Records.START -> starts++;
            case Records.SUM -> sum(StoredSum.of(record));
            case Records.SUM_END -> {}
            default -> throw new IllegalStateException("the store holds a record of kind " + record[0]);
        }
        applier.deliver();
    }

    private void founded() {
        if (starts > 0 || (whole && history.newest().isPresent())) {
            throw new IllegalStateException("the store began with another state already");
        }
        foundedFrom = true;
        if (whole) {
            snapshots.founded();
        }
    }

    /** Whether a certificate, and all before it, are adopted: what the records tell of them is done. */
    private boolean done(Certificate certificate) {
        tell(certificate.number());
        return !certificate.number().isAfter(history.number());
    }

    private void restore(Batch batch) {
        BatchOutcome outcome = intake.accept(batch);
        boolean taken = outcome == BatchOutcome.ADDED || outcome == BatchOutcome.KNOWN;
        int origin = batch.head().message().origin();
        if (origin == settings.index()) {
            ownSeen = Math.max(ownSeen, batch.head().message().size());
        }
        if (whole && !taken) {
            throw new IllegalStateException("a stored batch is " + outcome);
        }
        if (!taken && bootstrap.lost()) {
            bootstrap.defer(batch);
        }
    }

    private void restore(CertifiedEntries entries) {
        BatchOutcome outcome = intake.restore(entries);
        if (whole && outcome != BatchOutcome.ADDED && outcome != BatchOutcome.KNOWN) {
            throw new IllegalStateException("stored certified entries of " + entries.origin() + " are " + outcome);
        }
    }

    private void restore(Certificate certificate) {
        if (done(certificate)) {
            return;
        }
        if (bootstrap.lost()
                || (!whole && !certificate.number().equals(history.number().next()))) {
            bootstrap.lose(certificate.number());
            return;
        }
        certification.restore(certificate);
        adoption.certify();
        if (whole && !history.number().equals(certificate.number())) {
            throw new IllegalStateException(
                    "the stored certificate " + certificate.number() + " does not follow from the stored entries");
        }
    }

    private void exclusion(Certificate certificate) {
        if (!done(certificate) && !bootstrap.lost()) {
            applier.takeBack(certification.restoreExclusion(certificate));
        }
    }

    private void takenBack(byte[] body) {
        LogsCut.End end = end(body);
        boolean covered = end.kept() < history.certified().get(end.origin());
        if (!covered && !bootstrap.lost()) {
            applier.takeBack(certification.restoreTakenBack(end.origin(), end.kept()));
        }
    }

    private void head(SnapshotHead head) {
        Certificate certificate = head.certificate();
        if (foundedFrom && certificate != null) {
            ownSeen = Math.max(ownSeen, certificate.content().version().get(settings.index()));
        }
        if (certificate == null || !done(certificate)) {
            snapshots.restore(head);
        }
    }

    private void chunk(SnapshotChunk chunk) {
        snapshots.restore(chunk).ifPresent(adoption::installed);
    }

    private void installed(Certificate certificate) {
        if (done(certificate)) {
            return;
        }
        if (whole) {
            throw new IllegalStateException("the store lacks parts of the snapshot at " + certificate.number());
        }
        bootstrap.lose(certificate.number());
    }

    /** A sum tells of a certificate that the records before it may not lead to: then it came from the base. */
    private void sum(StoredSum stored) {
        starts = Math.max(starts, stored.starts());
        tell(stored.number());
        if (stored.number().isAfter(history.number())) {
            whole = false;
            bootstrap.lose(stored.number());
        }
    }

    private void tell(CertificateNumber number) {
        told = number.isAfter(told) ? number : told;
    }

    private static LogsCut.End end(byte[] body) {
        if (body.length != Integer.BYTES + Long.BYTES) {
            throw new IllegalStateException("the store holds a malformed record of an end that was taken back");
        }
        ByteBuffer taken = ByteBuffer.wrap(body);
        return new LogsCut.End(taken.getInt(), taken.getLong());
    }

    private static <M extends Message> M stored(byte[] body, Class<M> type) {
        return Codec.decode(body, type)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed " + type.getSimpleName()));
    }

    /**
     * What a base gave back, verified as the snapshot of a peer is: the certificate by its signatures, the logs' ends and the state by the
     * roots in it. What was signed after that is in the journal.
     *
     * @param snapshot the certified state, and the ends of the logs
     * @param heads the newest heads of the logs, whose signatures are not verified
     * @param leaves what was kept of leaves, which is not verified: whoever uses the roots compares them with the logs' ends
     */
    private record SavedState(Snapshot snapshot, List<Signed<Head>> heads, LeafBlockRoots leaves) {
        public SavedState {
            heads = List.copyOf(heads);
        }

        /** Loads what a base holds; empty when that is not a certified state of this deployment. */
        public static Optional<SavedState> of(SavedBase base, CoreSettings settings) {
            return of(base, settings, Long.MAX_VALUE);
        }

        /** The same, with room for so many bytes of objects in memory; others stay in the base alone. */
        public static Optional<SavedState> of(SavedBase base, CoreSettings settings, long room) {
            Optional<BaseHead> head = BaseHead.decode(base.head());
            CertificateVerifier verifier =
                    new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
            LeafBlockRoots.Loading leaves =
                    new LeafBlockRoots.Loading(settings.quorums().appservers());
            int blockLevel = settings.limits().retention().leafBlockLevel();
            return head.flatMap(found -> {
                Certificate certificate = found.snapshot().certificate();
                return certificate == null || verifier.verify(certificate).isPresent()
                        ? Optional.empty()
                        : VerifiedHead.of(found.snapshot(), certificate)
                                .flatMap(verified -> state(base, certificate, room, leaves)
                                        .map(state -> new SavedState(
                                                new Snapshot(verified, state), found.heads(), leaves.all(blockLevel))));
            });
        }

        private static Optional<CertifiedState> state(
                SavedBase base, Certificate certificate, long room, LeafBlockRoots.Loading leaves) {
            StateLoading loading = new StateLoading(room);
            boolean[] right = {true};
            boolean all = base.contents((key, content) -> {
                if (key.length > 0 && key[0] == BaseImage.LEAVES) {
                    leaves.take(key, content);
                    return true;
                }
                right[0] = SnapshotLeaves.decode(content)
                        .accepted()
                        .filter(leaf -> loading.take(key, leaf))
                        .isPresent();
                return right[0];
            });
            return all && right[0] ? loading.state(certificate.content().state()) : Optional.empty();
        }
    }
}
