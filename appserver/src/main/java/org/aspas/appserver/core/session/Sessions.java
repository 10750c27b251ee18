package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.certification.SnapshotSource;
import org.aspas.appserver.core.complaint.ClientQueries;
import org.aspas.appserver.core.log.LateLeaves;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.ObjectViews;
import org.aspas.appserver.core.object.TouchedObjects;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.core.state.ObjectPage;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.appserver.core.state.TauBucket;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientQuestion;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotPull;

/** Serves clients: admits what they send, hands it to whoever answers it, and tells them what certificates cover. */
public final class Sessions extends CorePart {
    private static final String GOODBYE = "this server is about to end: other servers go on";

    private final ClientAdmission admission;
    private final CertifiedHistory history;
    private final ClientQueries queries;
    private final SnapshotSource snapshots;
    private final ClientConnections connections;
    private final ClientLedgers ledgers;
    private final ResponseSealer responses;
    private final UpdateConfirmations confirmations;
    private final ClientUpdates updates;
    private final ClientReads reads;
    private final TouchedObjects touched;
    private final Watches watches;
    private boolean draining;

    public Sessions(
            CoreState context,
            Logs logs,
            LateLeaves leaves,
            ObjectStore objects,
            CertifiedHistory history,
            ClientLedgers ledgers,
            Applier applier,
            ClientQueries queries,
            SnapshotSource snapshots) {
        super(context);
        this.admission = new ClientAdmission(
                settings.verifier(),
                settings.admits(),
                settings.limits().maxRequestBytes(),
                settings.tags().enabled());
        this.history = history;
        this.queries = queries;
        this.snapshots = snapshots;
        this.connections = new ClientConnections(context);
        this.ledgers = ledgers;
        this.responses = new ResponseSealer(context, logs, history, ledgers);
        this.confirmations = new UpdateConfirmations(context, logs, objects, history, connections, ledgers, leaves);
        this.updates = new ClientUpdates(context, logs, objects, ledgers, applier, responses, confirmations, leaves);
        this.reads = new ClientReads(context, logs, objects, history, responses);
        this.touched = applier.touched();
        this.watches = new Watches(context, logs, objects, history, touched);
    }

    /** Makes the sequence numbers of answers higher than those that were given before this many restarts. */
    public void startedAgain(long starts) {
        responses.startedAgain(starts);
    }

    public void measure(Map<String, Long> gauges) {
        gauges.put("connections", (long) connections.size());
        gauges.put("clients", (long) ledgers.size());
        SessionGauges.measure(
                gauges, connections.clients().stream().map(ledgers::of).toList());
        gauges.put("draining", draining ? 1L : 0L);
        gauges.put("tags_right", settings.tags().right());
        gauges.put("tags_wrong", settings.tags().wrong());
        gauges.put("tags_unknown", settings.tags().unknown());
    }

    /** The server is about to end: what comes from now on is refused, and every client with a session is told to go on elsewhere. */
    public void drain() {
        draining = true;
        Refusal goodbye = new Refusal(0, false, Reason.DRAINING, GOODBYE);
        connections.all().stream()
                .filter(connection -> connection.client != null)
                .forEach(connection -> outbox.client(connection.id, goodbye));
    }

    /** The shell wants to be told of these objects, and of no others. */
    public void watch(Set<String> keys) {
        touched.watch(keys);
    }

    public ObjectQueries queries() {
        return watches;
    }

    public void tick() {
        connections.tick();
        watches.tick();
    }

    public void opened(ConnectionId connection) {
        connections.opened(connection, reads.sessionless());
        outbox.client(connection, new Hello(settings.verifier().deployment(), settings.index()));
    }

    public void gone(ConnectionId connection) {
        connections.gone(connection);
        snapshots.gone(connection);
    }

    public void adopted(Certification.Adopted adopted) {
        confirmations.adopted(adopted);
        watches.adopted(adopted);
    }

    /** Tells every client with a session that a certificate excludes somebody, beyond whose cut its updates may lie. */
    public void tellExclusion(Certificate certificate) {
        confirmations.tellExclusion(certificate);
    }

    public void frame(ConnectionId id, Frame frame) {
        connections.find(id).ifPresent(connection -> {
            connection.heardAt = time.now();
            connection.tags = frame instanceof Frame.Sealed sealed ? sealed.tags() : ClientConnection.NO_TAGS;
            admission.refusal(frame).or(() -> admitted(connection, frame)).ifPresent(refusal -> refuse(id, refusal));
        });
    }

    private Optional<Refusal> admitted(ClientConnection connection, Frame frame) {
        if (condition.amnesiac()) {
            return amnesiac(connection, frame);
        }
        if (draining) {
            return leaving(connection, frame);
        }
        return served(connection, frame);
    }

    /** A server that may have forgotten what it signed signs certified reads for nobody in particular, and no other word. */
    private Optional<Refusal> amnesiac(ClientConnection connection, Frame frame) {
        String why = "this server may have forgotten what it signed: " + condition.why();
        if (frame instanceof Frame.Sealed sealed) {
            return Optional.of(ClientAdmission.refusal(sealed.signed().message(), Reason.AMNESIAC, why));
        }
        return ((Frame.Plain) frame).message() instanceof Read read && (!read.certified() || connection.client != null)
                ? Optional.of(new Refusal(read.nonce(), true, Reason.AMNESIAC, why))
                : served(connection, frame);
    }

    /** A server that is about to end answers what other clients and servers ask about it, and takes nothing. */
    private Optional<Refusal> leaving(ClientConnection connection, Frame frame) {
        Message message = frame.message();
        if (message instanceof Read read) {
            return Optional.of(new Refusal(read.nonce(), true, Reason.DRAINING, GOODBYE));
        }
        return message instanceof ClientSigned
                ? Optional.of(ClientAdmission.refusal(message, Reason.DRAINING, GOODBYE))
                : served(connection, frame);
    }

    private Optional<Refusal> served(ClientConnection connection, Frame frame) {
        if (frame instanceof Frame.Sealed sealed) {
            Message message = sealed.signed().message();
            return message instanceof ClientQuestion question
                    ? asked(connection, question)
                    : sealed.signed().as(ClientSigned.class).flatMap(signed -> entered(connection, signed));
        }
        Message message = ((Frame.Plain) frame).message();
        if (message instanceof Read read) {
            return reads.read(connection, read);
        }
        if (message instanceof SnapshotPull pull) {
            return snapshots.answer(connection.id, pull);
        }
        outbox.client(connection.id, history.reply((GetCertificate) message));
        return Optional.empty();
    }

    private Optional<Refusal> asked(ClientConnection connection, ClientQuestion question) {
        Optional<Refusal> refused = queries.ask(connection.id, question);
        if (refused.isEmpty() && question instanceof AskStanding ask) {
            confirmations.asked(ask);
        }
        return refused;
    }

    private Optional<Refusal> entered(ClientConnection connection, Signed<ClientSigned> signed) {
        ClientSigned body = signed.message();
        Optional<Refusal> refused = queries.refused(body.client(), body);
        if (refused.isPresent()) {
            return refused;
        }
        if (body instanceof OpenSession open) {
            return open(connection, open, signed);
        }
        if (connection.client == null || !connection.client.sameKey(body.client())) {
            return Optional.of(
                    ClientAdmission.refusal(body, Reason.NO_SESSION, "the client has no session on this connection"));
        }
        if (!connection.follows(body.client())) { // What an earlier client with the key left, its next one gives again.
            connection.follow(body.client());
            confirmations.greet(connection, body.client());
        }
        return updates.update(connection, (Request) body, signed);
    }

    private Optional<Refusal> open(ClientConnection connection, OpenSession open, Signed<ClientSigned> signed) {
        boolean first = connection.client == null;
        Optional<Refusal> refused = updates.open(connection, open, signed);
        if (refused.isEmpty() && first) {
            connections.join(connection, open.client());
            confirmations.greet(connection, open.client());
        }
        return refused;
    }

    /**
     * What a server can know of its clients' τ: what each told it, and how many of the updates that it entered for each no
     * certificate covers yet. What waits inside a client, or is on its way to another server, only the client knows.
     */
    private static final class SessionGauges {
        private SessionGauges() {}

        /** Adds what {@link org.aspas.appserver.core.state.CoreStatus#gauges} says of the clients with a session. */
        static void measure(Map<String, Long> gauges, Collection<ClientLedger> clients) {
            TauBucket[] buckets = TauBucket.values();
            long[] sessions = new long[buckets.length];
            long[] uncertified = new long[buckets.length];
            long[] ofEach = new long[clients.size()];
            long waiting = 0;
            long bounded = 0;
            int next = 0;
            for (ClientLedger client : clients) {
                long count = client.uncertified();
                int bucket = TauBucket.of(client.tolerance).ordinal();
                sessions[bucket]++;
                uncertified[bucket] += count;
                ofEach[next++] = count;
                waiting += client.tolerance == 1 ? 1 : 0;
                bounded += client.tolerance > 1 ? 1 : 0;
            }
            gauges.put("sessions", (long) ofEach.length);
            gauges.put("sessions_tau_1", waiting);
            gauges.put("sessions_tau_bounded", bounded);
            for (TauBucket bucket : buckets) {
                gauges.put(bucket.sessionsGauge(), sessions[bucket.ordinal()]);
                gauges.put(bucket.unconfirmedGauge(), uncertified[bucket.ordinal()]);
            }
            Arrays.sort(ofEach);
            gauges.put("unconfirmed_p50", percentile(ofEach, 50));
            gauges.put("unconfirmed_p99", percentile(ofEach, 99));
            gauges.put("unconfirmed_most", percentile(ofEach, 100));
        }

        /** The smallest value that so many of a hundred do not exceed; 0 of none. */
        private static long percentile(long[] sorted, int percent) {
            int rank = (sorted.length * percent + 99) / 100;
            return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
        }
    }

    /**
     * Tells the shell what happens to the objects that it watches: at a tick, and not at every tick when the core lacks time, so that an
     * object that changes often costs no more than one that changes now and then. For one thread.
     */
    private static final class Watches extends CorePart implements ObjectQueries {
        /** The pause between two tellings, in milliseconds, when nothing else waits for the core. */
        private static final long LEAST_PAUSE = 20;

        /** The same when the core lacks time. */
        private static final long MOST_PAUSE = 500;

        private final Logs logs;
        private final CertifiedHistory history;
        private final ObjectViews views;
        private final TouchedObjects touched;
        private long told = Long.MIN_VALUE / 2;

        Watches(CoreState context, Logs logs, ObjectStore objects, CertifiedHistory history, TouchedObjects touched) {
            super(context);
            this.logs = logs;
            this.history = history;
            this.views = new ObjectViews(objects);
            this.touched = touched;
        }

        /** A certificate was adopted; without entries it came with a whole state. */
        void adopted(Certification.Adopted adopted) {
            if (adopted.range().isEmpty()) {
                touched.touchAll(ObjectChange.Kind.CERTIFIED);
                touched.touchAll(ObjectChange.Kind.LOCAL);
            }
            touched.touch(adopted.range(), ObjectChange.Kind.CERTIFIED);
        }

        void tick() {
            if (touched.isEmpty() || !vouches() || time.now() - told < time.pause(LEAST_PAUSE, MOST_PAUSE)) {
                return;
            }
            told = time.now();
            List<ObjectChange> changes = new ArrayList<>();
            touched.take((key, kinds) -> {
                ObjectView view = picture(key);
                kinds.forEach(kind -> changes.add(new ObjectChange(kind, view)));
            });
            outbox.objects(changes);
        }

        private ObjectView picture(String key) {
            return views.of(key, logs.version(), history.number());
        }

        private boolean vouches() {
            return condition.serves() && !condition.amnesiac();
        }

        @Override
        public Optional<List<ObjectView>> pictures(List<String> keys) {
            return vouches() ? Optional.of(keys.stream().map(this::picture).toList()) : Optional.empty();
        }

        @Override
        public Optional<ObjectPage> page(CertificateNumber number, Hash from) {
            return views.page(number.equals(CertificateNumber.NONE) ? history.number() : number, from);
        }
    }
}
