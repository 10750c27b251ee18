package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.certification.BaseImages;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.certification.Snapshot;
import org.aspas.appserver.core.certification.SnapshotBootstrap;
import org.aspas.appserver.core.certification.SnapshotIntake;
import org.aspas.appserver.core.certification.SnapshotSource;
import org.aspas.appserver.core.log.Amnesia;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.session.Applier;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.certificate.CertificateChain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.Cuts;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.crdt.clock.VersionVector;

/** Gives snapshots of the certified state, to peers and to the base; gets one when it is needed, and installs it. For one thread. */
final class Snapshots extends CorePart {
    final SnapshotSource source;

    private final SnapshotIntake intake;
    private final CertifiedHistory history;
    private final Logs logs;
    private final ObjectStore objects;
    private final Certification certification;
    private final Applier applier;
    private final Amnesia amnesia;
    private final BaseImages images;
    private final SnapshotBootstrap bootstrap;
    /** Whether the next snapshot is the one with which the deployment begins. */
    private boolean founding;

    Snapshots(
            CoreState context,
            CertifiedHistory history,
            Logs logs,
            ObjectStore objects,
            Certification certification,
            Applier applier,
            Amnesia amnesia,
            EntryIntake entries,
            Pruning pruning) {
        super(context);
        this.source = new SnapshotSource(context, logs, objects);
        this.intake = new SnapshotIntake(context, history);
        this.history = history;
        this.logs = logs;
        this.objects = objects;
        this.certification = certification;
        this.applier = applier;
        this.amnesia = amnesia;
        this.images = new BaseImages(context, logs, objects, pruning::kept);
        this.bootstrap = new SnapshotBootstrap(context, logs, history, entries);
    }

    BaseImages images() {
        return images;
    }

    SnapshotBootstrap foundation() {
        return bootstrap;
    }

    void connected(NodeId node) {
        intake.connected(node);
    }

    void gone(NodeId node) {
        intake.gone(node);
        source.gone(node);
    }

    void tick() {
        source.tick();
        intake.tick();
    }

    /** A certificate was adopted that added this many encoded bytes of entries. */
    void adopted(Certificate certificate, long added) {
        source.adopted(certificate, history.beganWith(certificate.number()), added);
        images.adopted(certificate);
    }

    /**
     * A peer answered a question for a certificate.
     *
     * @param told whether the peer told of this certificate, or of a later one
     */
    void reply(NodeId from, CertificateReply reply, boolean told) {
        if (reply.certificate() == null
                && told
                && reply.number().equals(history.number().next())) {
            intake.pruned(from, reply.number());
        }
    }

    /** Takes a peer's message; what was installed by it, if anything. */
    Optional<Certification.Adopted> take(NodeId from, SnapshotPart message) {
        if (message instanceof SnapshotPull pull) {
            source.answer(from, pull);
        } else if (message instanceof SnapshotHead head) {
            intake.head(from, head);
        } else if (message instanceof SnapshotChunk chunk) {
            return intake.chunk(from, chunk).flatMap(this::install);
        }
        return Optional.empty();
    }

    /** The store begins with the state of another deployment: own entries that the snapshot covers were never here. */
    void founded() {
        founding = true;
    }

    void restore(SnapshotHead head) {
        intake.restore(head);
    }

    /** Takes back from the store a part of a snapshot; what was installed by it, if anything. */
    Optional<Certification.Adopted> restore(SnapshotChunk chunk) {
        return intake.restore(chunk).flatMap(this::install);
    }

    /** Makes what a base gave back the state of a server that has nothing yet. */
    Certification.Adopted load(Snapshot snapshot) {
        Certificate certificate = snapshot.head().certificate();
        settle(snapshot);
        return new Certification.Adopted(certificate, List.of());
    }

    /** Adds to a server's gauges how far a snapshot has come, and what waits for parts of one. */
    void measure(Map<String, Long> gauges) {
        intake.measure(gauges);
        source.measure(gauges);
    }

    /** Makes a snapshot the state here, unless it contradicts what is certified here. */
    private Optional<Certification.Adopted> install(Snapshot snapshot) {
        Certificate certificate = snapshot.head().certificate();
        Optional<CertificateChain.Break> wrong =
                history.newest().flatMap(newest -> CertificateChain.wrongLater(newest, certificate));
        if (wrong.isPresent()) {
            condition.become(ServerState.DIVERGED, "certificate " + certificate.number() + " is of another history");
            outbox.alarm(new Alarm.SnapshotOfAnotherHistory(certificate.number(), history.number(), wrong.get()));
            return Optional.empty();
        }
        applier.deliver();
        if (!founding) {
            lookForOwnLoss(snapshot.head().ends().get(settings.index()));
        }
        founding = false;
        VersionVector before = history.certified();
        List<Entry> held = held(snapshot, before);
        outbox.persist(Records.snapshotInstalled(certificate));
        settle(snapshot);
        bootstrap.installed();
        applier.deliver();
        counters.count("snapshots_installed");
        repairDependencies();
        return Optional.of(new Certification.Adopted(certificate, held));
    }

    /**
     * Begins a repair when own entries build on what is not here: on a branch of a fork that a snapshot replaced, or on what a base does
     * not have. Dependencies never fall, so no own entry can follow before that is here again, or cut.
     */
    void repairDependencies() {
        if (!logs.issuing()) {
            condition.become(ServerState.REPAIRING, "own entries depend on what is not here");
        }
    }

    private void settle(Snapshot snapshot) {
        Certificate certificate = snapshot.head().certificate();
        CertificateContent content = certificate.content();
        List<Entry> revoked = logs.install(snapshot.head().ends(), new Cuts(content.exclusions()), history.certified());
        source.forget();
        objects.install(snapshot.state(), certificate.number(), content.version());
        certification.installed(certificate);
        applier.installed(snapshot.state(), revoked);
    }

    /** What others certified of the own log, and is not here, this server signed and lost. */
    private void lookForOwnLoss(LogEdge own) {
        if (!own.isIn(logs.own())) {
            lostOwn(own, logs.own().size());
        }
    }

    /** Own entries up to a certified end were signed here, and the store has only some of them, or others. */
    void lostOwn(LogEdge own, long here) {
        amnesia.begin("own entries up to " + own.size() + " are certified, and the store has others or only " + here);
        outbox.alarm(new Alarm.OwnEntriesLost(own.size(), here));
    }

    /** The entries that become certified, as far as they are here and stay. */
    private List<Entry> held(Snapshot snapshot, VersionVector before) {
        List<Entry> held = new ArrayList<>();
        for (int origin = 0; origin < snapshot.head().ends().size(); origin++) {
            LogEdge end = snapshot.head().ends().get(origin);
            if (end.isIn(logs.of(origin))) {
                held.addAll(logs.heldBetween(origin, before.get(origin), end.size()));
            }
        }
        return held;
    }
}
