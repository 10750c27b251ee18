package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.complaint.ClientRates;
import org.aspas.appserver.core.log.LateLeaves;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.MissingLeaves;
import org.aspas.appserver.core.log.OriginLog;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;

/**
 * Tells connected clients which of their updates are certified: by the dots that this server answered with, and by those of
 * other origins, which answered before the client turned to this server. For one thread.
 */
final class UpdateConfirmations extends CorePart {
    /** How many proofs one confirmation holds at most. */
    private static final int PROOFS_AT_ONCE = 256;

    private static final int PROOFS_PER_SECOND = 512;
    /** For how many clients at that rate the server proves at all. */
    private static final int PROVED_CLIENTS = 10;

    /** What is to be proved. */
    private record Placed(long number, Dot dot) {}

    private final Logs logs;
    private final ObjectStore objects;
    private final CertifiedHistory history;
    private final ClientConnections connections;
    private final ClientLedgers ledgers;
    private final LateLeaves leaves;
    /** How many proofs clients get for asking: they may ask for the same again and again. */
    private final ClientRates proofs = new ClientRates(4 * AskStanding.MAX_UPDATES, PROOFS_PER_SECOND, PROVED_CLIENTS);

    UpdateConfirmations(
            CoreState context,
            Logs logs,
            ObjectStore objects,
            CertifiedHistory history,
            ClientConnections connections,
            ClientLedgers ledgers,
            LateLeaves leaves) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        this.history = history;
        this.connections = connections;
        this.ledgers = ledgers;
        this.leaves = leaves;
    }

    /** Tells what a newly adopted certificate covers. */
    void adopted(Certification.Adopted adopted) {
        Map<ClientId, List<DeliveredUpdate>> covered = new HashMap<>();
        Set<ClientId> followed = connections.followed();
        for (Entry entry : adopted.range()) {
            if (entry.body().message() instanceof Request request) {
                DeliveredUpdate update = DeliveredUpdate.of(entry, request);
                note(update);
                if (followed.contains(request.client())) {
                    covered.computeIfAbsent(request.client(), any -> new ArrayList<>())
                            .add(update);
                }
            }
        }
        Map<ClientId, List<Confirmation>> made = new HashMap<>();
        for (ClientConnection connection : connections.all()) {
            for (ClientId client : connection.clients()) {
                List<DeliveredUpdate> updates = covered.getOrDefault(client, List.of());
                confirm(connection, made.computeIfAbsent(client, one -> confirmations(one, placed(updates))));
                updates.forEach(update -> tellIfWithoutEffect(connection, update.request()));
            }
        }
    }

    boolean certifies(Dot dot) {
        return history.certified().covers(dot);
    }

    private void note(DeliveredUpdate update) {
        ClientLedger ledger = ledgers.of(update.request().client());
        // An exclusion may have freed the number, when this entry was not certified yet.
        ledger.intervals.add(update.request().number());
        if (update.dot().origin() == settings.index()) {
            ledger.certified(update.request().number(), update.dot().sequence());
        }
    }

    private static List<Placed> placed(List<DeliveredUpdate> updates) {
        return updates.stream()
                .map(update -> new Placed(update.request().number(), update.dot()))
                .toList();
    }

    /** Tells a client that opened its session on a connection what was certified of its updates before. */
    void greet(ClientConnection connection, ClientId client) {
        ClientLedger ledger = ledgers.of(client);
        List<OwnPlaces.Place> certified = ledger.certified();
        // Until its hashes are read, a forgotten number may be entered again: then its new place is what counts here.
        leaves.with(
                client,
                places(placed(certified.stream())),
                () -> prove(connection, client, placed(certified.stream().filter(ledger.certified()::contains))));
    }

    private List<Placed> placed(Stream<OwnPlaces.Place> own) {
        return own.map(one -> new Placed(one.number(), new Dot(settings.index(), one.sequence())))
                .toList();
    }

    private MissingLeaves places(List<Placed> updates) {
        MissingLeaves needs = leaves.needs();
        updates.forEach(one -> needs.place(one.dot()));
        return needs;
    }

    private void prove(ClientConnection connection, ClientId client, Collection<Placed> certified) {
        confirm(
                connection,
                confirmations(
                        client,
                        certified.stream()
                                .filter(one -> logs.provable(one.dot()))
                                .toList()));
        for (Placed one : certified) {
            OriginLog log = logs.of(one.dot().origin());
            if (one.dot().sequence() > log.pruned()
                    && log.entry(one.dot().sequence()).body().message() instanceof Request request) {
                tellIfWithoutEffect(connection, request);
            }
        }
    }

    /**
     * A client asks whether this server holds updates. If it has a session here, it has turned to this server: what other
     * origins had certified of them before is proved to it, so that it need not be entered again. Whoever asks for too many proofs
     * gets none.
     */
    void asked(AskStanding question) {
        ClientConnection newest = connections.newest(question.client()).orElse(null);
        if (newest == null) {
            return;
        }
        List<Placed> elsewhere = new ArrayList<>();
        for (AskStanding.Named named : question.updates()) {
            objects.requests()
                    .counted(question.client(), named.number())
                    .filter(one -> one.identity().equals(named.identity()))
                    .filter(one -> one.dot().origin() != settings.index())
                    .filter(one -> history.certified().covers(one.dot()))
                    .map(one -> new Placed(one.number(), one.dot()))
                    .ifPresent(elsewhere::add);
        }
        if (proofs.take(question.client(), elsewhere.size(), time.now())) {
            leaves.with(question.client(), places(elsewhere), () -> prove(newest, question.client(), elsewhere));
        } else {
            counters.count("proofs_refused");
        }
    }

    /** Proves to a client that a certificate covers an own entry of its, if one does. */
    void confirmIfCertified(ClientConnection connection, ClientId client, long number, Dot dot) {
        if (certifies(dot)) {
            confirm(connection, confirmations(client, List.of(new Placed(number, dot))));
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
    private List<Confirmation> confirmations(ClientId client, Collection<Placed> updates) {
        List<Confirmation> confirmations = new ArrayList<>();
        Certificate newest = history.newest().orElse(null);
        if (newest == null) {
            return confirmations;
        }
        List<Confirmation.Covered> covered = new ArrayList<>();
        for (Placed one : updates) {
            OriginLog log = logs.of(one.dot().origin());
            long size = newest.content().version().get(one.dot().origin());
            covered.add(new Confirmation.Covered(
                    one.number(), one.dot(), log.prove(one.dot().sequence(), size)));
            if (covered.size() == PROOFS_AT_ONCE) {
                confirmations.add(new Confirmation(client, newest, covered));
                covered = new ArrayList<>();
            }
        }
        if (!covered.isEmpty()) {
            confirmations.add(new Confirmation(client, newest, covered));
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
                            request.client(),
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
                outbox.client(connection.id, new Confirmation(connection.client, certificate, List.of()));
            }
        }
    }
}
