package org.aspas.appserver.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.appserver.core.base.JournalSum;
import org.aspas.appserver.core.broadcast.Amnesia;
import org.aspas.appserver.core.broadcast.Broadcaster;
import org.aspas.appserver.core.broadcast.EntryIntake;
import org.aspas.appserver.core.broadcast.LateLeaves;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.ClientQueries;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.complaint.Inspector;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.BaseReader;
import org.aspas.appserver.core.port.BatchOutcome;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.ObjectQueries;
import org.aspas.appserver.core.port.OpenBatch;
import org.aspas.appserver.core.port.StoreState;
import org.aspas.appserver.core.port.StoredHistory;
import org.aspas.appserver.core.session.ClientLedgers;
import org.aspas.appserver.core.session.Delivery;
import org.aspas.appserver.core.session.Sessions;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.appserver.core.step.Records;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.crdt.clock.VersionVector;

/**
 * One appserver (paper §3.4, §3.5) as a state machine: an event in, effects out, one thread at a time. Nothing in a frame makes
 * it throw; an {@link IllegalStateException} is a bug of this program or a damaged store.
 *
 * <p>What comes in goes one way. It is admitted, appended to a log, delivered, certified, and told to whom it concerns. No
 * part calls back into one whose step is under way: what a part finds out it returns, and this class hands it on.
 */
public final class AppServerCore extends CorePart implements AppServerMachine {
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final Logs logs;
    private final LateLeaves late;
    private final Certification certification;
    private final Broadcaster broadcaster;
    private final EvidencePool evidence;
    private final Delivery delivery;
    private final Sessions sessions;
    private final Adoption adoption;
    private final Introduction introduction;
    private final Amnesia amnesia;
    private final CertificatePuller puller;
    private final Pruning pruning;
    private final Snapshots snapshots;
    private final BftserverFrames bftservers;
    private final JournalSum sum;
    private final RecordReplay replay;

    /** A server that knows nothing but its deployment. */
    public AppServerCore(CoreSettings settings) {
        this(CoreContext.of(settings), BaseReader.NONE);
    }

    private AppServerCore(CoreContext context, BaseReader base) {
        super(context);
        this.objects = new ObjectStore(base);
        this.history = new CertifiedHistory(settings.quorums().appservers());
        ClientLedgers ledgers = new ClientLedgers(settings.index());
        this.logs = new Logs(settings);
        this.late = new LateLeaves(context, logs);
        this.amnesia = new Amnesia(context, logs);
        this.introduction = new Introduction(context, logs);
        EntryIntake intake = new EntryIntake(settings, logs);
        this.certification = new Certification(context, logs, objects, history);
        this.broadcaster = new Broadcaster(context, logs, intake);
        this.puller = new CertificatePuller(context, history, certification, broadcaster);
        Inspector inspector = new Inspector(logs, objects, history, condition);
        this.evidence = new EvidencePool(context, inspector);
        this.delivery = new Delivery(settings, logs, objects, ledgers, evidence);
        ClientQueries queries = new ClientQueries(context, objects, history, inspector, evidence, late);
        this.pruning = new Pruning(context, logs, late, history, ledgers);
        this.snapshots =
                new Snapshots(context, history, logs, objects, certification, delivery, amnesia, intake, pruning);
        this.sessions =
                new Sessions(context, logs, late, objects, history, ledgers, delivery, queries, snapshots.source);
        this.adoption =
                new Adoption(logs, certification, delivery, broadcaster, sessions, evidence, pruning, snapshots);
        this.bftservers = new BftserverFrames(certification, adoption, evidence);
        this.sum = new JournalSum(context, logs, history, snapshots.images(), evidence);
        this.replay = new RecordReplay(
                context, logs, intake, history, certification, adoption, delivery, evidence, amnesia, snapshots, sum);
    }

    // ---- Recovery ----

    /** As the other {@code recover}, over a good store without a base. */
    public static AppServerCore recover(CoreSettings settings, Iterable<byte[]> records) {
        return recover(settings, StoredHistory.of(records), StoreState.GOOD);
    }

    /**
     * A server that takes up where its records end. The shell knows whether the store holds all that the server promised.
     *
     * @param settings as before the crash
     * @param records all that were reported durable, in order, and perhaps some after them; and any base of this server
     * @param store what the store is; over an amnesiac one the server is amnesiac, whatever peers say
     * @throws IllegalStateException when the records are not those of this server, or damaged
     */
    public static AppServerCore recover(CoreSettings settings, StoredHistory records, StoreState store) {
        AppServerCore core = new AppServerCore(CoreContext.of(settings), records.reader());
        long starts = core.replay.run(records) + 1;
        core.sessions.startedAgain(starts);
        core.sum.started(starts);
        core.outbox.persist(Records.start());
        if (core.replay.baseAhead()) {
            core.sum.baseAhead();
        }
        core.introduction.endRepair(core.history);
        if (store instanceof StoreState.Amnesiac lost) {
            core.amnesia.begin(lost.reason());
        }
        return core;
    }

    /**
     * As {@link #recover}; but the server first listens to what peers hold of its log, for a short time over a store with records. Without a record
     * it enters nothing before they have told: it may have lost its store, or run elsewhere. {@link Introduction} says how many, and what they cannot tell.
     */
    public static AppServerCore introduced(CoreSettings settings, StoredHistory records, StoreState store) {
        AppServerCore core = recover(settings, records, store);
        if (!records.iterator().hasNext()) {
            core.introduction.begin();
        } else {
            core.introduction.listen();
        }
        return core;
    }

    // ---- Events ----

    @Override
    public List<Effect> step(Event event) {
        if (event instanceof Event.ClientFrame frame) {
            sessions.frame(frame.connection(), frame.frame());
            if (broadcaster.appended()) {
                certification.report();
            }
        } else if (event instanceof Event.NodeFrame frame) {
            late.with(frame.from(), late.needs(frame.frame()), () -> node(frame.from(), frame.frame()));
        } else if (event instanceof Event.NodeBatch sent) {
            late.with(sent.from(), late.needs(sent.batch().batch()), () -> judged(sent));
        } else if (event instanceof Event.LeavesLoaded loaded) {
            late.loaded(loaded);
        } else if (event instanceof Event.Persisted persisted) {
            outbox.persisted(persisted.ticket());
        } else if (event instanceof Event.Written written) {
            outbox.written(written.ticket());
        } else if (event instanceof Event.Tick tick) {
            time.tick(tick.nowMillis(), tick.backlogPercent());
            tick();
        } else {
            connection(event);
        }
        introduction.endRepair(history);
        objects.makeRoom();
        return outbox.take();
    }

    private void connection(Event event) {
        if (event instanceof Event.ClientOpened opened) {
            sessions.opened(opened.connection());
        } else if (event instanceof Event.ClientGone gone) {
            sessions.gone(gone.connection());
        } else if (event instanceof Event.Watch watch) {
            sessions.watch(watch.keys());
        } else if (event instanceof Event.Drain) {
            sessions.drain();
            sum.drain();
        } else if (event instanceof Event.NodeConnected connected) {
            broadcaster.connected(connected.node());
            snapshots.connected(connected.node());
            if (connected.node().role() == Role.BFTSERVER) {
                certification.connected(connected.node());
            } else {
                evidence.connected(connected.node());
            }
        } else if (event instanceof Event.NodeGone gone) {
            broadcaster.gone(gone.node());
            snapshots.gone(gone.node());
        }
    }

    private void tick() {
        broadcaster.want(certification.wanted());
        broadcaster.tick().forEach(evidence::take);
        broadcaster.pull(certification.next());
        certification.tick();
        evidence.tick();
        sessions.tick();
        introduction.tick();
        puller.tick();
        snapshots.tick();
        pruning.tick(snapshots.source.oldest());
        sum.tick();
    }

    // ---- Servers ----

    private void node(NodeId from, Frame frame) {
        boolean understood = frame instanceof Frame.Plain plain
                ? from.role() == Role.APPSERVER
                        ? peer(from, plain.message())
                        : bftservers.message(from, plain.message())
                : frame instanceof Frame.Sealed sealed && bftservers.sealed(from, sealed.signed());
        if (!understood) {
            counters.count("refused_node_frame");
        }
    }

    private boolean peer(NodeId from, Message message) {
        if (message instanceof Batch batch) {
            batch(from, OpenBatch.closed(batch));
        } else if (message instanceof CertifiedEntries entries) {
            certified(entries);
        } else if (message instanceof Frontier frontier) {
            broadcaster.frontier(from, frontier).forEach(evidence::take);
            introduction.frontier(from, frontier.version());
            broadcaster.send(from);
        } else if (message instanceof Pull pull) {
            broadcaster.answer(from, pull);
        } else if (message instanceof GetCertificate get) {
            outbox.node(from, history.peerReply(get));
        } else if (message instanceof CertificateReply reply) {
            reply(from, reply);
        } else if (message instanceof Evidence shown) {
            evidence.evidence(from, shown);
        } else if (message instanceof SnapshotPart part) {
            snapshots.take(from, part).ifPresent(adoption::installed);
        } else {
            return false;
        }
        return true;
    }

    private void judged(Event.NodeBatch sent) {
        Broadcaster.Judged judged = batch(sent.from(), sent.batch());
        outbox.judged(new Effect.BatchJudged(sent.batch(), judged.outcome(), judged.size()));
    }

    private Broadcaster.Judged batch(NodeId from, OpenBatch batch) {
        Broadcaster.Judged judged = broadcaster.batch(from, batch);
        delivery.deliver();
        judged.proof().ifPresent(evidence::take);
        if (judged.outcome() == BatchOutcome.ADDED) {
            adoption.certify();
            certification.report();
        }
        return judged;
    }

    private void certified(CertifiedEntries entries) {
        BatchOutcome outcome = broadcaster.certified(entries, certification.next());
        delivery.deliver();
        if (outcome == BatchOutcome.OFF_LOG) {
            certification.offLog(entries.origin()).ifPresent(delivery::takeBack);
        } else if (outcome == BatchOutcome.ADDED) {
            adoption.certify();
        }
    }

    private void reply(NodeId from, CertificateReply reply) {
        snapshots.reply(from, reply, broadcaster.toldOf(from, reply.number()));
        Certificate certificate = reply.certificate();
        CertificateNumber before = history.number();
        if (certificate != null && certification.certificate(certificate)) {
            adoption.certify();
        }
        if (history.number().isAfter(before)) {
            puller.ask();
        }
    }

    // ---- Status ----

    public Optional<Certificate> newestCertificate() {
        return history.newest();
    }

    /** How many encoded bytes of an origin's entries are accepted and wait for others. */
    public long pendingBytes(int origin) {
        return logs.of(origin).pendingBytes();
    }

    /** How many of the first entries of an origin's log are forgotten, with the heads over them. */
    public long forgotten(int origin) {
        return logs.of(origin).pruned();
    }

    /** The delivered version. */
    public VersionVector version() {
        return logs.version();
    }

    @Override
    public ObjectQueries objects() {
        return sessions.queries();
    }

    @Override
    public CoreStatus status() {
        SortedMap<String, Long> gauges = new TreeMap<>();
        objects.measure(gauges);
        gauges.put("waiting_effects", (long) outbox.waiting());
        certification.measure(gauges);
        sessions.measure(gauges);
        pruning.measure(gauges);
        snapshots.measure(gauges);
        return new CoreStatus(
                logs.version(),
                history.number(),
                history.certified(),
                gauges,
                counters.snapshot(),
                broadcaster.caughtUp(),
                condition.state(),
                condition.why(),
                evidence.blacklist());
    }
}
