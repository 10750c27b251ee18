package org.aspas.appserver.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.appserver.core.broadcast.Broadcaster;
import org.aspas.appserver.core.broadcast.EntryIntake;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.ClientQueries;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.complaint.Inspector;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.port.AppServerMachine;
import org.aspas.appserver.core.port.BatchOutcome;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.appserver.core.port.OpenBatch;
import org.aspas.appserver.core.port.ServerState;
import org.aspas.appserver.core.session.ClientLedgers;
import org.aspas.appserver.core.session.Delivery;
import org.aspas.appserver.core.session.Sessions;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.appserver.core.step.Records;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.BftReqStable;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.CertifiedEntries;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Frontier;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Pull;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.VersionVector;

/**
 * One appserver (paper §3.4, §3.5) as a state machine: an event in, effects out. Not thread-safe: one thread at a time
 * calls it. Nothing that comes in a frame makes it throw; an {@link IllegalStateException} is a bug of this program or a
 * damaged store.
 *
 * <p>What comes in goes one way. It is admitted, appended to a log, delivered, certified, and told to whom it concerns. No
 * part calls back into one whose step is under way: what a part finds out it returns, and this class hands it on.
 */
public final class AppServerCore extends CorePart implements AppServerMachine {
    private static final long ASK_MILLIS = 200;

    private final ObjectStore objects = new ObjectStore();
    private final CertifiedHistory history;
    private final ClientLedgers ledgers;
    private final Logs logs;
    private final EntryIntake intake;
    private final Certification certification;
    private final Broadcaster broadcaster;
    private final EvidencePool evidence;
    private final Delivery delivery;
    private final Sessions sessions;
    private final Adoption adoption;
    private long askedAt = Long.MIN_VALUE / 2;

    /** A server that knows nothing but its deployment. */
    public AppServerCore(CoreSettings settings) {
        this(CoreContext.of(settings));
    }

    private AppServerCore(CoreContext context) {
        super(context);
        this.history = new CertifiedHistory(
                settings.quorums().appservers(), settings.limits().retainedCertificates());
        this.ledgers = new ClientLedgers(settings.index());
        this.logs = new Logs(settings);
        this.intake = new EntryIntake(settings, logs);
        this.certification = new Certification(context, logs, objects, history);
        this.broadcaster = new Broadcaster(context, logs, intake);
        Inspector inspector = new Inspector(logs, objects, history, condition);
        this.evidence = new EvidencePool(context, inspector);
        this.delivery = new Delivery(logs, objects, ledgers, evidence);
        ClientQueries queries = new ClientQueries(context, objects, history, inspector, evidence);
        this.sessions = new Sessions(context, logs, objects, history, ledgers, delivery, queries);
        this.adoption = new Adoption(logs, certification, delivery, broadcaster, sessions, evidence);
    }

    // ---- Recovery ----

    /**
     * A server that takes up where its records end.
     *
     * @param settings as before the crash
     * @param records all that were reported durable, in order, and perhaps some after them
     * @throws IllegalStateException when the records are not those of this server, or damaged
     */
    public static AppServerCore recover(CoreSettings settings, Iterable<byte[]> records) {
        AppServerCore core = new AppServerCore(settings);
        core.replay(records);
        return core;
    }

    private void replay(Iterable<byte[]> records) {
        RecordReplay replay = new RecordReplay(logs, intake, history, certification, adoption, delivery, evidence);
        outbox.replaying(true);
        intake.trusting(true);
        records.forEach(replay::take);
        intake.trusting(false);
        outbox.replaying(false);
        sessions.startedAgain(replay.starts() + 1);
        outbox.persist(Records.start());
        endRepair();
    }

    // ---- Events ----

    @Override
    public List<Effect> step(Event event) {
        if (event instanceof Event.ClientFrame frame) {
            sessions.frame(frame.connection(), frame.frame());
            broadcaster.appended();
        } else if (event instanceof Event.NodeFrame frame) {
            node(frame.from(), frame.frame());
        } else if (event instanceof Event.NodeBatch sent) {
            Broadcaster.Judged judged = batch(sent.from(), sent.batch());
            outbox.judged(new Effect.BatchJudged(sent.batch(), judged.outcome(), judged.size()));
        } else if (event instanceof Event.Persisted persisted) {
            outbox.persisted(persisted.ticket());
        } else if (event instanceof Event.Tick tick) {
            time.tick(tick.nowMillis());
            tick();
        } else {
            connection(event);
        }
        endRepair();
        return outbox.take();
    }

    private void connection(Event event) {
        if (event instanceof Event.ClientOpened opened) {
            sessions.opened(opened.connection());
        } else if (event instanceof Event.ClientGone gone) {
            sessions.gone(gone.connection());
        } else if (event instanceof Event.NodeConnected connected) {
            broadcaster.connected(connected.node());
            if (connected.node().role() == Role.BFTSERVER) {
                certification.connected(connected.node());
            } else {
                evidence.connected(connected.node());
            }
        } else if (event instanceof Event.NodeGone gone) {
            broadcaster.gone(gone.node());
        }
    }

    private void tick() {
        broadcaster.want(certification.wanted());
        broadcaster.tick().forEach(evidence::take);
        broadcaster.pull(certification.next());
        certification.tick();
        evidence.tick();
        sessions.tick();
        boolean told = broadcaster.holderOfCertificate(history.number().next()).isPresent();
        if ((told || certification.lacks()) && time.now() - askedAt >= ASK_MILLIS) {
            askForCertificate();
        }
    }

    private void askForCertificate() {
        CertificateNumber next = history.number().next();
        Optional<NodeId> holder =
                certification.waiting(next) ? Optional.empty() : broadcaster.holderOfCertificate(next);
        holder.ifPresent(peer -> {
            askedAt = time.now();
            outbox.node(peer, new GetCertificate(next));
        });
    }

    // ---- Servers ----

    private void node(NodeId from, Frame frame) {
        boolean understood = frame instanceof Frame.Plain plain
                ? from.role() == Role.APPSERVER ? peer(from, plain.message()) : bftserver(from, plain.message())
                : frame instanceof Frame.Sealed sealed && sealed(from, sealed.signed());
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
            broadcaster.send(from);
        } else if (message instanceof Pull pull) {
            broadcaster.answer(from, pull);
        } else if (message instanceof GetCertificate get) {
            outbox.node(from, history.reply(get));
        } else if (message instanceof CertificateReply reply) {
            reply(reply);
        } else if (message instanceof Evidence shown) {
            evidence.evidence(from, shown);
        } else {
            return false;
        }
        return true;
    }

    private Broadcaster.Judged batch(NodeId from, OpenBatch batch) {
        Broadcaster.Judged judged = broadcaster.batch(from, batch);
        delivery.deliver();
        judged.proof().ifPresent(evidence::take);
        if (judged.outcome() == BatchOutcome.ADDED) {
            adoption.certify();
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

    private void reply(CertificateReply reply) {
        Certificate certificate = reply.certificate();
        CertificateNumber before = history.number();
        if (certificate != null && certification.certificate(certificate)) {
            adoption.certify();
        }
        if (history.number().isAfter(before)) {
            askForCertificate();
        }
    }

    private boolean bftserver(NodeId from, Message message) {
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

    private boolean sealed(NodeId from, Signed<? extends Message> signed) {
        Optional<Signed<BftReqStable>> asked = signed.as(BftReqStable.class);
        Optional<Signed<Blacklist>> word = signed.as(Blacklist.class);
        if (asked.isPresent() && certification.request(from, asked.get())) {
            adoption.certify();
        }
        word.ifPresent(one -> evidence.word(from, one));
        return asked.isPresent() || word.isPresent();
    }

    /** What was taken back is here again, and so is what own entries depend on: the server can serve. */
    private void endRepair() {
        if (condition.state() == ServerState.REPAIRING && !logs.repairing() && logs.issuing()) {
            condition.become(ServerState.SERVING, "the logs are the certified ones again");
        }
    }

    // ---- Status ----

    /** The newest adopted certificate. */
    public Optional<Certificate> newestCertificate() {
        return history.newest();
    }

    /** How many encoded bytes of an origin's entries are accepted and wait for others. */
    public long pendingBytes(int origin) {
        return logs.of(origin).pendingBytes();
    }

    /** What is delivered. */
    public VersionVector version() {
        return logs.version();
    }

    @Override
    public CoreStatus status() {
        return new CoreStatus(
                logs.version(),
                history.number(),
                history.certified(),
                gauges(),
                counters.snapshot(),
                broadcaster.caughtUp(),
                condition.state(),
                condition.why(),
                evidence.blacklist());
    }

    private SortedMap<String, Long> gauges() {
        SortedMap<String, Long> gauges = new TreeMap<>();
        gauges.put("objects", (long) objects.size());
        gauges.put("connections", (long) sessions.connections());
        gauges.put("clients", (long) ledgers.size());
        gauges.put("waiting_effects", (long) outbox.waiting());
        gauges.put("pending_entries", logs.pendingEntries());
        gauges.put("pending_bytes", logs.pendingBytes());
        certification.measure(gauges);
        sessions.measure(gauges);
        return gauges;
    }
}
