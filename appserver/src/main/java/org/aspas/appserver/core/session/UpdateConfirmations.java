package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.broadcast.OriginLog;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.objects.Counted;
import org.aspas.appserver.core.objects.DeliveredUpdate;
import org.aspas.appserver.core.objects.ObjectStore;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Entry;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Refusal.Reason;
import org.aspas.certify.message.Request;

/**
 * Tells connected clients which of their updates are certified, by the dots that this server answered with. For one thread.
 */
final class UpdateConfirmations extends CorePart {
    /** How many proofs one confirmation holds at most. */
    private static final int PROOFS_AT_ONCE = 256;

    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final ClientConnections connections;
    private final ClientLedgers ledgers;

    UpdateConfirmations(
            CoreContext context,
            Logs logs,
            ObjectStore objects,
            CertifiedHistory history,
            ClientConnections connections,
            ClientLedgers ledgers) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        this.history = history;
        this.connections = connections;
        this.ledgers = ledgers;
    }

    /** Tells what a newly adopted certificate covers. */
    void adopted(Certification.Adopted adopted) {
        Map<ClientId, List<DeliveredUpdate>> covered = new HashMap<>();
        for (Entry entry : adopted.range()) {
            if (entry.body().message() instanceof Request request) {
                note(DeliveredUpdate.of(entry, request), covered);
            }
        }
        Map<ClientId, List<Confirmation>> made = new HashMap<>();
        for (ClientConnection connection : connections.all()) {
            ClientId client = connection.client;
            List<DeliveredUpdate> updates = client == null ? null : covered.get(client);
            if (client != null && updates != null) {
                confirm(connection, made.computeIfAbsent(client, any -> confirmations(counted(updates))));
                updates.forEach(update -> tellIfWithoutEffect(connection, update.request()));
            }
        }
    }

    private void note(DeliveredUpdate update, Map<ClientId, List<DeliveredUpdate>> covered) {
        ClientId client = update.request().client();
        ClientLedger ledger = ledgers.of(client);
        // An exclusion may have freed the number, when this entry was not certified yet.
        ledger.numbers.add(update.request().number());
        if (update.dot().origin() != settings.index()) {
            return;
        }
        ledger.certified(update.counted());
        if (connections.hasSession(client)) {
            covered.computeIfAbsent(client, any -> new ArrayList<>()).add(update);
        }
    }

    private static List<Counted> counted(List<DeliveredUpdate> updates) {
        return updates.stream().map(DeliveredUpdate::counted).toList();
    }

    /** Tells a client that opened its session on a connection what was certified of its updates before. */
    void greet(ClientConnection connection, ClientId client) {
        ClientLedger ledger = ledgers.of(client);
        confirm(connection, confirmations(ledger.certified));
        for (Counted one : ledger.certified) {
            if (logs.own().entry(one.dot().sequence()).body().message() instanceof Request request) {
                tellIfWithoutEffect(connection, request);
            }
        }
    }

    /** Proves to a client that a certificate covers an own entry of its, if one does. */
    void confirmIfCertified(ClientConnection connection, Counted one) {
        if (history.certified().covers(one.dot())) {
            confirm(connection, confirmations(List.of(one)));
        }
    }

    private void confirm(ClientConnection connection, List<Confirmation> confirmations) {
        for (Confirmation one : confirmations) {
            connection.certificate = one.certificate().number();
            outbox.client(connection.id, one);
            counters.add("confirmations", one.covered().size());
        }
    }

    /** The proofs that the newest certificate covers updates, in messages of a bounded length; none without one. */
    private List<Confirmation> confirmations(Collection<Counted> updates) {
        List<Confirmation> confirmations = new ArrayList<>();
        Certificate newest = history.newest().orElse(null);
        if (newest == null) {
            return confirmations;
        }
        List<Confirmation.Covered> covered = new ArrayList<>();
        for (Counted one : updates) {
            OriginLog log = logs.of(one.dot().origin());
            long size = newest.content().version().get(one.dot().origin());
            covered.add(new Confirmation.Covered(
                    one.number(), one.dot(), log.prove(one.dot().sequence(), size)));
            if (covered.size() == PROOFS_AT_ONCE) {
                confirmations.add(new Confirmation(newest, covered));
                covered = new ArrayList<>();
            }
        }
        if (!covered.isEmpty()) {
            confirmations.add(new Confirmation(newest, covered));
        }
        return confirmations;
    }

    /**
     * A hint to the client, which proves it by reading the object: its certified update has no effect, for another type has
     * the key. Where two types meet under a fresh key, that comes out only with the certificate.
     */
    private void tellIfWithoutEffect(ClientConnection connection, Request request) {
        Optional<String> type = objects.type(request.key()).filter(known -> !known.equals(request.type()));
        if (type.isPresent()) {
            outbox.client(
                    connection.id,
                    new Refusal(
                            request.number(),
                            false,
                            Reason.WRONG_TYPE,
                            "it is certified without effect: the object is of type " + type.get()));
            counters.count("certified_without_effect");
        }
    }

    /** Tells every client with a session that a certificate excludes somebody, beyond whose cut its updates may lie. */
    void tellExclusion(Certificate certificate) {
        for (ClientConnection connection : connections.all()) {
            if (connection.client != null && certificate.number().isAfter(connection.certificate)) {
                connection.certificate = certificate.number();
                outbox.client(connection.id, new Confirmation(certificate, List.of()));
            }
        }
    }
}
