package org.aspas.appserver.core;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.appserver.core.broadcast.Acceptance;
import org.aspas.appserver.core.broadcast.Broadcaster;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.broadcast.OpenBatch;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.complaint.Inquiries;
import org.aspas.appserver.core.objects.DeliveredUpdate;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.session.Sessions;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.BftReqStable;
import org.aspas.certify.message.Blacklist;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.CertifiedEntries;
import org.aspas.certify.message.ClientEquivocation;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Frontier;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Pull;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.clock.VersionVector;

/**
 * One appserver (paper §3.4, §3.5) as a state machine: an event in, effects out. Not thread-safe: one thread at a time
 * calls it. Nothing that comes in a frame makes it throw; an {@link IllegalStateException} is a bug of this program or a
 * damaged store.
 */
public final class AppServerCore implements AppServerMachine {
    private static final long ASK_MILLIS = 200;

    private final Counters counters = new Counters();
    private final Outbox outbox = new Outbox(counters);
    private final ObjectStore objects = new ObjectStore();
    private final int index;
    private final Logs logs;
    private final Certification certification;
    private final Broadcaster broadcaster;
    private final Sessions sessions;
    private final Inquiries complaints;
    private final WaitingTimes ownWaiting = new WaitingTimes();
    private long adoptedAt;
    private boolean ticked;
    private long askedAt = Long.MIN_VALUE / 2;
    private long now;
    private long starts;

    /** A server that knows nothing but its deployment. */
    public AppServerCore(CoreSettings settings) {
        this.index = settings.index();
        this.logs = new Logs(settings, this::delivered);
        this.certification = new Certification(settings, logs, objects, outbox, counters, new LogListener());
        this.broadcaster = new Broadcaster(settings, logs, outbox, counters, this::found, certification);
        this.complaints = new Inquiries(settings, logs, objects, certification, outbox, counters);
        this.sessions = new Sessions(settings, logs, objects, certification, complaints, outbox, counters);
    }

    /**
     * A server that takes up where its records end.
     *
     * @param settings as before the crash
     * @param records all that were reported durable, in order, and perhaps some after them
     * @throws IllegalStateException when the records are not those of this server, or damaged
     */
    public static AppServerCore recover(CoreSettings settings, Iterable<byte[]> records) {
        AppServerCore core = new AppServerCore(settings);
        core.outbox.replaying(true);
        core.logs.trusting(true);
        for (byte[] record : records) {
            core.replay(record);
        }
        core.logs.trusting(false);
        core.outbox.replaying(false);
        core.sessions.startedAgain(core.starts + 1);
        core.outbox.persist(Records.start());
        return core;
    }

    private void replay(byte[] record) {
        if (record.length == 0) {
            throw new IllegalStateException("the store holds an empty record");
        }
        byte[] body = Records.body(record);
        if (record[0] == Records.OWN_ENTRY) {
            logs.restoreOwn(body);
        } else if (record[0] == Records.BATCH) {
            Acceptance acceptance = logs.accept(stored(body, Batch.class));
            if (acceptance != Acceptance.ADDED) {
                throw new IllegalStateException("a stored batch is " + acceptance);
            }
        } else if (record[0] == Records.CERTIFIED_ENTRIES) {
            logs.restore(stored(body, CertifiedEntries.class));
        } else if (record[0] == Records.CERTIFICATE) {
            certification.restore(stored(body, Certificate.class));
        } else if (record[0] == Records.EXCLUSION) {
            certification.restoreExclusion(stored(body, Certificate.class));
        } else if (record[0] == Records.TAKEN_BACK && body.length == Integer.BYTES + Long.BYTES) {
            ByteBuffer taken = ByteBuffer.wrap(body);
            certification.restoreTakenBack(taken.getInt(), taken.getLong());
        } else if (record[0] == Records.EVIDENCE) {
            complaints.found(stored(body, Evidence.class));
        } else if (record[0] == Records.START) {
            starts++;
        } else {
            throw new IllegalStateException("the store holds a record of kind " + record[0]);
        }
    }

    private static <M extends Message> M stored(byte[] body, Class<M> type) {
        return Codec.decode(body, type)
                .accepted()
                .orElseThrow(() -> new IllegalStateException("the store holds a malformed " + type.getSimpleName()));
    }

    @Override
    public List<Effect> step(Event event) {
        if (event instanceof Event.ClientFrame frame) {
            client(frame);
            broadcaster.appended();
        } else if (event instanceof Event.NodeFrame frame) {
            node(frame.from(), frame.frame());
        } else if (event instanceof Event.NodeBatch sent) {
            batch(sent.from(), sent.batch());
        } else if (event instanceof Event.Persisted persisted) {
            outbox.persisted(persisted.ticket());
        } else if (event instanceof Event.Tick tick) {
            tick(tick.nowMillis());
        } else {
            connection(event);
        }
        return outbox.take();
    }

    private void client(Event.ClientFrame event) {
        if (event.frame() instanceof Frame.Sealed sealed
                && Inquiries.answers(sealed.signed().message())) {
            sessions.heard(event.connection());
            complaints.client(event.connection(), sealed.signed());
        } else {
            sessions.frame(event.connection(), event.frame(), ready());
        }
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
                complaints.connected(connected.node());
            }
        } else if (event instanceof Event.NodeGone gone) {
            broadcaster.gone(gone.node());
        }
    }

    private void tick(long nowMillis) {
        now = nowMillis;
        ownWaiting.seen(logs.own().size(), now);
        ownWaiting.certified(certification.certified().get(index));
        if (!ticked) {
            // What was adopted before there was a time counts from now on.
            ticked = true;
            adoptedAt = now;
        }
        broadcaster.want(certification.wanted());
        broadcaster.tick(now);
        certification.tick(now);
        complaints.tick(now);
        sessions.tick(now);
        boolean told =
                broadcaster.holderOfCertificate(certification.number() + 1).isPresent();
        if ((told || certification.lacks()) && now - askedAt >= ASK_MILLIS) {
            askForCertificate();
        }
    }

    private void askForCertificate() {
        long next = certification.number() + 1;
        Optional<NodeId> holder =
                certification.waiting(next) ? Optional.empty() : broadcaster.holderOfCertificate(next);
        holder.ifPresent(peer -> {
            askedAt = now;
            outbox.node(peer, new GetCertificate(next));
        });
    }

    // ---- Servers ----

    private void node(NodeId from, Frame frame) {
        boolean understood = frame instanceof Frame.Plain plain
                ? from.role() == Role.APPSERVER ? peer(from, plain.message()) : share(from, plain.message())
                : frame instanceof Frame.Sealed sealed && sealed(from, sealed.signed());
        if (!understood) {
            counters.count("refused_node_frame");
        }
    }

    private boolean peer(NodeId from, Message message) {
        if (message instanceof Batch batch) {
            batch(from, OpenBatch.closed(batch));
        } else if (message instanceof CertifiedEntries entries) {
            if (broadcaster.certified(entries)) {
                certification.progress();
            }
        } else if (message instanceof Frontier frontier) {
            broadcaster.frontier(from, frontier);
        } else if (message instanceof Pull pull) {
            broadcaster.pull(from, pull);
        } else if (message instanceof GetCertificate get) {
            outbox.node(
                    from,
                    new CertificateReply(
                            get.number(), certification.find(get.number()).orElse(null)));
        } else if (message instanceof CertificateReply reply) {
            reply(reply);
        } else if (message instanceof Evidence evidence) {
            complaints.evidence(from, evidence);
        } else {
            return false;
        }
        return true;
    }

    private void batch(NodeId from, OpenBatch batch) {
        if (broadcaster.batch(from, batch)) {
            certification.progress();
        }
    }

    private void reply(CertificateReply reply) {
        Certificate certificate = reply.certificate();
        if (certificate != null) {
            long before = certification.number();
            certification.certificate(certificate);
            if (certification.number() > before) {
                askForCertificate();
            }
        }
    }

    private boolean share(NodeId from, Message message) {
        if (message instanceof Share share) {
            certification.share(from, share);
        } else if (message instanceof Evidence evidence) {
            complaints.evidence(from, evidence);
        } else {
            return false;
        }
        return true;
    }

    @SuppressWarnings("unchecked") // The message is of the type asked for, and Signed only hands it out.
    private boolean sealed(NodeId from, Signed<? extends Message> signed) {
        if (signed.message() instanceof BftReqStable) {
            certification.request(from, (Signed<BftReqStable>) signed);
        } else if (signed.message() instanceof Blacklist) {
            complaints.word(from, (Signed<Blacklist>) signed);
        } else {
            return false;
        }
        return true;
    }

    // ---- What the parts tell each other ----

    private void delivered(Entry entry) {
        sessions.delivered(entry);
        if (entry.body().message() instanceof Request request) {
            DeliveredUpdate update = DeliveredUpdate.of(entry, request);
            objects.requests()
                    .rival(update)
                    .ifPresent(rival -> complaints.found(
                            new ClientEquivocation(request(rival.entry(), rival.request()), request(entry, request))));
            objects.deliver(update);
        }
    }

    private static Signed<Request> request(Entry entry, Request request) {
        return new Signed<>(request, entry.body().payload(), entry.body().signature());
    }

    private final class LogListener implements Certification.Listener {
        @Override
        public void adopted(Certification.Adopted adopted) {
            Certificate certificate = adopted.certificate();
            adoptedAt = now;
            broadcaster.certificate(certificate.number());
            broadcaster.agreed(certificate.content().version());
            sessions.adopted(adopted);
            if (complaints.adopted(certificate)) {
                sessions.tellExclusion(certificate);
            }
        }

        @Override
        public void takenBack(int origin, long kept, List<Entry> revoked) {
            objects.revoke(origin, kept);
            sessions.revoked(revoked);
        }
    }

    private void found(Evidence evidence) {
        complaints.found(evidence);
    }

    // ---- Status ----

    /** The newest adopted certificate. */
    public Optional<Certificate> newestCertificate() {
        return certification.newest();
    }

    /** How many encoded bytes of an origin's entries are accepted and wait for others. */
    public long pendingBytes(int origin) {
        return logs.of(origin).pendingBytes();
    }

    /** What is delivered. */
    public VersionVector version() {
        return logs.version();
    }

    private boolean ready() {
        return !certification.diverged()
                && !logs.repairing()
                && logs.issuing()
                && !logs.cuts().excludes(index)
                && !broadcaster.amnesia();
    }

    @Override
    public CoreStatus status() {
        SortedMap<String, Long> gauges = new TreeMap<>();
        gauges.put("objects", (long) objects.size());
        gauges.put("connections", (long) sessions.connections());
        gauges.put("clients", (long) sessions.clients());
        gauges.put("waiting_effects", (long) outbox.waiting());
        long pending = 0;
        long pendingBytes = 0;
        for (int origin = 0; origin < logs.version().size(); origin++) {
            pending += logs.of(origin).size() - logs.of(origin).delivered();
            pendingBytes += logs.of(origin).pendingBytes();
        }
        gauges.put("pending_entries", pending);
        gauges.put("pending_bytes", pendingBytes);
        gauges.put(
                "uncertified_entries",
                logs.version().sum() - certification.certified().sum());
        gauges.put(
                "uncertified_own_entries",
                logs.own().size() - certification.certified().get(index));
        gauges.put("oldest_uncertified_own_millis", ownWaiting.oldestMillis(now));
        if (certification.number() > 0) {
            gauges.put("certificate_age_millis", now - adoptedAt);
        }
        return new CoreStatus(
                logs.version(),
                certification.number(),
                certification.certified(),
                gauges,
                counters.snapshot(),
                broadcaster.caughtUp(),
                ready(),
                complaints.blacklist());
    }
}
