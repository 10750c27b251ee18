package org.aspas.appserver.core.session;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.ClientQueries;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.port.ClientAdmission;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ClientQuestion;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Refusal.Reason;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;

/** Serves clients: admits what they send, hands it to whoever answers it, and tells them what certificates cover. */
public final class Sessions extends CorePart {
    /** Stands for the client in the answer to a read on a connection without a session. */
    public static final ClientId ANONYMOUS = new ClientId(PublicKey.of(new byte[PublicKey.LENGTH]));

    private final ClientAdmission admission;
    private final CertifiedHistory history;
    private final ClientQueries queries;
    private final ClientConnections connections;
    private final ClientLedgers ledgers;
    private final ResponseSealer responses;
    private final UpdateConfirmations confirmations;
    private final ClientUpdates updates;
    private final ClientReads reads;

    /** No connections yet. */
    public Sessions(
            CoreContext context,
            Logs logs,
            ObjectStore objects,
            CertifiedHistory history,
            ClientLedgers ledgers,
            Delivery delivery,
            ClientQueries queries) {
        super(context);
        this.admission = new ClientAdmission(
                settings.verifier(), settings.admits(), settings.limits().maxRequestBytes());
        this.history = history;
        this.queries = queries;
        this.connections = new ClientConnections(context);
        this.ledgers = ledgers;
        this.responses = new ResponseSealer(context, logs, history, ledgers);
        this.confirmations = new UpdateConfirmations(context, logs, objects, history, connections, ledgers);
        this.updates = new ClientUpdates(context, logs, objects, ledgers, delivery, responses, confirmations);
        this.reads = new ClientReads(context, logs, objects, history, responses);
    }

    /** Makes the sequence numbers of answers higher than those that were given before this many restarts. */
    public void startedAgain(long starts) {
        responses.startedAgain(starts);
    }

    /** The number of connections. */
    public int connections() {
        return connections.size();
    }

    /** Adds to a server's gauges how much of its clients' work is unconfirmed. */
    public void measure(Map<String, Long> gauges) {
        SessionGauges.measure(
                gauges, connections.clients().stream().map(ledgers::of).toList());
    }

    /** Time has passed. */
    public void tick() {
        connections.tick();
    }

    /** A client connected. */
    public void opened(ConnectionId connection) {
        connections.opened(connection, reads.sessionless());
        outbox.client(connection, new Hello(settings.verifier().deployment(), settings.index()));
    }

    /** A connection ended. */
    public void gone(ConnectionId connection) {
        connections.gone(connection);
    }

    /** A certificate was adopted. */
    public void adopted(Certification.Adopted adopted) {
        confirmations.adopted(adopted);
    }

    /** Tells every client with a session that a certificate excludes somebody, beyond whose cut its updates may lie. */
    public void tellExclusion(Certificate certificate) {
        confirmations.tellExclusion(certificate);
    }

    /** Takes a client's frame. */
    public void frame(ConnectionId id, Frame frame) {
        connections.find(id).ifPresent(connection -> {
            connection.heardAt = time.now();
            admission.refusal(frame).or(() -> admitted(connection, frame)).ifPresent(refusal -> {
                counters.count("refused_" + refusal.reason().name().toLowerCase(Locale.ROOT));
                outbox.client(id, refusal);
            });
        });
    }

    private Optional<Refusal> admitted(ClientConnection connection, Frame frame) {
        if (frame instanceof Frame.Sealed sealed) {
            Message message = sealed.signed().message();
            return message instanceof ClientQuestion question
                    ? queries.ask(connection.id, question)
                    : sealed.signed().as(ClientSigned.class).flatMap(signed -> entered(connection, signed));
        }
        Message message = ((Frame.Plain) frame).message();
        if (message instanceof Read read) {
            return reads.read(connection, read);
        }
        outbox.client(connection.id, history.reply((GetCertificate) message));
        return Optional.empty();
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
        return body.client().equals(connection.client)
                ? updates.update(connection, (Request) body, signed)
                : Optional.of(ClientAdmission.refusal(
                        body, Reason.NO_SESSION, "the client has no session on this connection"));
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
