package org.aspas.appserver.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.ClientQueries;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.complaint.Inspector;
import org.aspas.appserver.core.log.Amnesia;
import org.aspas.appserver.core.log.Broadcaster;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.LateLeaves;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.session.Applier;
import org.aspas.appserver.core.session.ClientLedgers;
import org.aspas.appserver.core.session.Sessions;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
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
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotPart;
import org.aspas.crdt.clock.VersionVector;

/**
 * One appserver as a state machine (paper §3.4, §3.5; the protocol page, docs/protocol.md §3-§6 and §9): an {@link Event} in, {@link
 * Effect}s out, one thread at a time. It has no thread, clock, socket or file of its own, and the same events always give the same
 * effects, because Ed25519 signatures are deterministic. Nothing in a frame makes it throw; an {@link IllegalStateException} is a bug of
 * this program or a damaged store.
 *
 * <p><b>What it guards.</b> A client's update is answered in one round trip, after it is durable here and without asking anybody. So
 * three things have to hold whatever peers and bftservers do: what was answered survives a crash; what is certified is never taken
 * back; and a server that cannot vouch for its own history says so instead of guessing.
 *
 * <p><b>One way through.</b> Data flows in one direction, and each part sees those before it only:
 *
 * <ol>
 *   <li>Admit. {@link org.aspas.appserver.core.state.ClientAdmission} says what a client may send; links are authenticated.
 *   <li>Append. What a client signed goes into the own log, a peer's batch into its origin's ({@code core.log}).
 *   <li>Deliver. What the logs deliver, in causal order, goes into the clients' ledgers and the live views ({@code core.session},
 *       {@code core.object}).
 *   <li>Certify. {@link Adoption} adopts certificates in the order of their numbers ({@code core.certification}).
 *   <li>Tell. Clients, peers and bftservers are told; what proves somebody faulty goes to {@code core.complaint}.
 * </ol>
 *
 * No part calls back into one whose step is under way: what a part finds out it returns, and this class hands it on. That is why
 * {@link #step} reads like a table of contents, and why the order of its calls is the order of effects.
 *
 * <p><b>Why an answer survives.</b> A record goes to the shell at once ({@link Effect.Persist}); what rests on it waits in the outbox until
 * the shell reports {@link Event.Persisted}. Tickets rise by one, and a ticket stands for all before it. After a crash the shell
 * gives the records, in their order, to {@link #recover}, which takes the same way through the same parts with the outbox closed.
 *
 * <p><b>Why it does not guess.</b> Whether the server can serve is one {@link org.aspas.appserver.core.state.ServerState}, which one method
 * changes, with a reason: SERVING, or REPAIRING while certified entries replace what was taken back, AMNESIAC when it may have signed
 * what it no longer holds, DIVERGED when its own history is not what was certified.
 */
public final class AppServerCore extends CorePart implements AppServerMachine {
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final Logs logs;
    private final LateLeaves late;
    private final Certification certification;
    private final Broadcaster broadcaster;
    private final EvidencePool evidence;
    private final Applier applier;
    private final Sessions sessions;
    private final Adoption adoption;
    private final StartupQuorum startupQuorum;
    private final Amnesia amnesia;
    private final CertificatePuller puller;
    private final Pruning pruning;
    private final Snapshots snapshots;
    private final BftserverFrames bftservers;
    private final JournalCheckpoint checkpoint;
    private final RecordReplay replay;

    /** A server that knows nothing but its deployment. */
    public AppServerCore(CoreSettings settings) {
        this(CoreState.of(settings), BaseReader.NONE);
    }

    private AppServerCore(CoreState context, BaseReader base) {
        super(context);
        this.objects = new ObjectStore(base);
        this.history = new CertifiedHistory(settings.quorums().appservers());
        ClientLedgers ledgers = new ClientLedgers(settings.index());
        this.logs = new Logs(settings);
        this.late = new LateLeaves(context, logs);
        this.amnesia = new Amnesia(context, logs);
        this.startupQuorum = new StartupQuorum(context, logs);
        EntryIntake intake = new EntryIntake(settings, logs);
        this.certification = new Certification(context, logs, objects, history);
        this.broadcaster = new Broadcaster(context, logs, intake);
        this.puller = new CertificatePuller(context, history, certification, broadcaster);
        Inspector inspector = new Inspector(logs, objects, history, condition);
        this.evidence = new EvidencePool(context, inspector);
        this.applier = new Applier(settings, logs, objects, ledgers, evidence);
        ClientQueries queries = new ClientQueries(context, objects, history, inspector, evidence, late);
        this.pruning = new Pruning(context, logs, late, history, ledgers);
        this.snapshots =
                new Snapshots(context, history, logs, objects, certification, applier, amnesia, intake, pruning);
        this.sessions =
                new Sessions(context, logs, late, objects, history, ledgers, applier, queries, snapshots.source);
        this.adoption = new Adoption(logs, certification, applier, broadcaster, sessions, evidence, pruning, snapshots);
        this.bftservers = new BftserverFrames(certification, adoption, evidence);
        this.checkpoint = new JournalCheckpoint(context, logs, history, snapshots.images(), evidence);
        this.replay = new RecordReplay(
                context,
                logs,
                intake,
                history,
                certification,
                adoption,
                applier,
                evidence,
                amnesia,
                snapshots,
                checkpoint);
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
        AppServerCore core = new AppServerCore(CoreState.of(settings), records.reader());
        long starts = core.replay.run(records) + 1;
        core.sessions.startedAgain(starts);
        core.checkpoint.started(starts);
        core.outbox.persist(Records.start());
        if (core.replay.baseAhead()) {
            core.checkpoint.baseAhead();
        }
        core.startupQuorum.endRepair(core.history);
        if (store instanceof StoreState.Amnesiac lost) {
            core.amnesia.begin(lost.reason());
        }
        return core;
    }

    /**
     * As {@link #recover}; but the server first listens to what peers hold of its log, for a short time over a store with records. Without a record
     * it enters nothing before they have told: it may have lost its store, or run elsewhere. {@link StartupQuorum} says how many, and what they cannot tell.
     */
    public static AppServerCore introduced(CoreSettings settings, StoredHistory records, StoreState store) {
        AppServerCore core = recover(settings, records, store);
        if (!records.iterator().hasNext()) {
            core.startupQuorum.begin();
        } else {
            core.startupQuorum.listen();
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
        startupQuorum.endRepair(history);
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
            checkpoint.drain();
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
        startupQuorum.tick();
        puller.tick();
        snapshots.tick();
        pruning.tick(snapshots.source.oldest());
        checkpoint.tick();
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
            startupQuorum.frontier(from, frontier.version());
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
        applier.deliver();
        judged.proof().ifPresent(evidence::take);
        if (judged.outcome() == BatchOutcome.ADDED) {
            adoption.certify();
            certification.report();
        }
        return judged;
    }

    private void certified(CertifiedEntries entries) {
        BatchOutcome outcome = broadcaster.certified(entries, certification.next());
        applier.deliver();
        if (outcome == BatchOutcome.OFF_LOG) {
            certification.offLog(entries.origin()).ifPresent(applier::takeBack);
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

    /** Takes what bftservers send, and what other servers signed. For one thread. */
    private static final class BftserverFrames {
        private final Certification certification;
        private final Adoption adoption;
        private final EvidencePool evidence;

        BftserverFrames(Certification certification, Adoption adoption, EvidencePool evidence) {
            this.certification = certification;
            this.adoption = adoption;
            this.evidence = evidence;
        }

        /** Takes a message of a bftserver; whether it is one that they send. */
        boolean message(NodeId from, Message message) {
            if (message instanceof Share share) {
                if (certification.share(from, share)) {
                    adoption.certify();
                }
            } else if (message instanceof Evidence shown) {
                evidence.evidence(from, shown);
            } else {
                return false;
            }
            return true;
        }

        /** Takes a signed message of a server; whether it is one that they send. */
        boolean sealed(NodeId from, Signed<? extends Message> signed) {
            Optional<Signed<BftReqStable>> asked = signed.as(BftReqStable.class);
            Optional<Signed<Blacklist>> word = signed.as(Blacklist.class);
            if (asked.isPresent() && certification.request(from, asked.get())) {
                adoption.certify();
            }
            word.ifPresent(one -> evidence.word(from, one));
            return asked.isPresent() || word.isPresent();
        }
    }

    /** Asks peers for the certificate that follows the newest adopted one, when it exists and did not come. For one thread. */
    private static final class CertificatePuller extends CorePart {
        private static final long ASK_MILLIS = 200;

        private final CertifiedHistory history;
        private final Certification certification;
        private final Broadcaster broadcaster;
        /** So long the next certificate may wait here for its entries: whoever has them has it, too. */
        private static final long STUCK_MILLIS = 1_000;

        private long askedAt = Long.MIN_VALUE / 2;
        private long movedAt = Long.MIN_VALUE / 2;
        private CertificateNumber newest = CertificateNumber.NONE;

        CertificatePuller(
                CoreState context, CertifiedHistory history, Certification certification, Broadcaster broadcaster) {
            super(context);
            this.history = history;
            this.certification = certification;
            this.broadcaster = broadcaster;
        }

        /** Asks if a peer told of a later certificate, or entries lack one, and not too often. */
        void tick() {
            if (!history.number().equals(newest)) {
                newest = history.number();
                movedAt = time.now();
            }
            boolean told =
                    broadcaster.holderOfCertificate(history.number().next()).isPresent();
            if ((told || certification.lacks()) && time.now() - askedAt >= ASK_MILLIS) {
                ask();
            }
        }

        /** Asks a peer that told of it, unless it is here already, and entries for it come. */
        void ask() {
            CertificateNumber next = history.number().next();
            Optional<NodeId> holder = certification.waiting(next) && time.now() - movedAt < STUCK_MILLIS
                    ? Optional.empty()
                    : broadcaster.holderOfCertificate(next);
            holder.ifPresent(peer -> {
                askedAt = time.now();
                outbox.node(peer, new GetCertificate(next));
            });
        }
    }
}
