package org.aspas.appserver.core.session;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.appserver.core.broadcast.LateLeaves;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.ClientQueries;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.objects.TouchedObjects;
import org.aspas.appserver.core.port.ClientAdmission;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.port.ObjectQueries;
import org.aspas.appserver.core.snapshot.SnapshotSource;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
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
            CoreContext context,
            Logs logs,
            LateLeaves leaves,
            ObjectStore objects,
            CertifiedHistory history,
            ClientLedgers ledgers,
            Delivery delivery,
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
        this.updates = new ClientUpdates(context, logs, objects, ledgers, delivery, responses, confirmations, leaves);
        this.reads = new ClientReads(context, logs, objects, history, responses);
        this.touched = delivery.touched();
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
}
