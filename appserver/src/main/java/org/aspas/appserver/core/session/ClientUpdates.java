package org.aspas.appserver.core.session;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.log.LateLeaves;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/** Enters what clients signed into the own log, once for each number, and answers with the place. For one thread. */
final class ClientUpdates extends CorePart {
    private final Logs logs;
    private final ObjectStore objects;
    private final ClientLedgers ledgers;
    private final Applier applier;
    private final ResponseSealer responses;
    private final UpdateConfirmations confirmations;
    private final LateLeaves leaves;

    ClientUpdates(
            CoreState context,
            Logs logs,
            ObjectStore objects,
            ClientLedgers ledgers,
            Applier applier,
            ResponseSealer responses,
            UpdateConfirmations confirmations,
            LateLeaves leaves) {
        super(context);
        this.logs = logs;
        this.objects = objects;
        this.ledgers = ledgers;
        this.applier = applier;
        this.responses = responses;
        this.confirmations = confirmations;
        this.leaves = leaves;
    }

    private boolean busy() {
        return !condition.serves()
                || logs.full()
                || outbox.full(settings.limits().maxUnanswered());
    }

    private static Optional<Refusal> refusal(ClientSigned body, Reason reason, String detail) {
        return Optional.of(ClientAdmission.refusal(body, reason, detail));
    }

    Optional<Refusal> open(ClientConnection connection, OpenSession open, Signed<ClientSigned> signed) {
        ClientLedger ledger = ledgers.of(open.client());
        if (connection.client != null && !connection.client.equals(open.client())) {
            return refusal(open, Reason.MALFORMED, "the connection has a session of another client");
        }
        if (open.number() < 1 || open.number() <= ledger.session) {
            return refusal(open, Reason.NUMBER_REUSED, "the session number must be above " + ledger.session);
        }
        if (busy()) {
            return refusal(open, Reason.BUSY, "this server takes no updates now");
        }
        Entry entry = append(signed);
        connection.client = open.client();
        responses.answer(connection, responses.update(ledger, entry, 0, Value.sequence(List.of())), null);
        return Optional.empty();
    }

    /** Enters an update of the client whose session the connection has, unless it is refused. */
    Optional<Refusal> update(ClientConnection connection, Request request, Signed<ClientSigned> signed) {
        ClientLedger ledger = ledgers.of(request.client());
        Optional<ClientLedger.Own> own = ledger.own(request.number());
        if (own.isPresent()) {
            return known(connection, ledger, request, signed, own.get());
        }
        if (request.number() > ledger.intervals.contiguous() + 1) {
            return refusal(
                    request,
                    Reason.BEHIND,
                    "this server knows the client's requests up to " + ledger.intervals.contiguous());
        }
        return enter(connection, ledger, request, signed);
    }

    private Optional<Refusal> enter(
            ClientConnection connection, ClientLedger ledger, Request request, Signed<ClientSigned> signed) {
        Optional<Refusal> unfit = unfit(request);
        if (unfit.isPresent() && !connection.givenAgain(unfit.get(), signed.identity())) {
            return unfit;
        }
        if (busy()) {
            return refusal(request, Reason.BUSY, "this server takes no updates now");
        }
        Entry entry = append(signed);
        logs.ownTags().keep(entry.dot().sequence(), connection.tags);
        connection.entered(signed.identity());
        Signed<Response> response = responses.update(ledger, entry, request.number(), result(request));
        ledger.answer(request.number(), response);
        responses.answer(connection, response, null);
        counters.count("updates");
        return Optional.empty();
    }

    /** Why a request cannot be entered, or would have no effect, whoever sends it. */
    private Optional<Refusal> unfit(Request request) {
        Optional<DataType> type = DataTypes.byName(request.type());
        if (request.number() < 1) {
            return refusal(request, Reason.MALFORMED, "request numbers begin at 1");
        }
        if (request.key().getBytes(StandardCharsets.UTF_8).length
                > settings.limits().maxKeyBytes()) {
            return refusal(request, Reason.TOO_LARGE, "the key is longer than the limit");
        }
        if (type.isEmpty()) {
            return refusal(request, Reason.WRONG_TYPE, "there is no such datatype");
        }
        Optional<String> known = objects.type(request.key());
        if (known.isPresent() && !known.get().equals(request.type())) {
            return refusal(request, Reason.WRONG_TYPE, "the object is of type " + known.get());
        }
        return type.get()
                .check(request.operation())
                .or(() -> full(type.get(), request))
                .flatMap(why -> refusal(request, Reason.BAD_OPERATION, why));
    }

    /** Why an operation has no effect, or soon would have none, on an element that is too large. */
    private Optional<String> full(DataType type, Request request) {
        return type.grows(request.operation())
                        && objects.bytes(request.key(), request.type(), request.operation()) >= ObjectStore.FULL_BYTES
                ? Optional.of("the element is full: it has " + ObjectStore.FULL_BYTES + " bytes or more")
                : Optional.empty();
    }

    private Value result(Request request) {
        return request.type().equals(DataTypes.PN_COUNTER.name())
                ? objects.liveValue(request.key(), request.type())
                : Value.sequence(List.of());
    }

    /** Appends an entry, and delivers it here. */
    private Entry append(Signed<ClientSigned> signed) {
        Entry entry = logs.appendOwn(signed);
        applier.deliver();
        outbox.persist(Records.ownEntry(logs.own().encoded(entry.dot().sequence())));
        return entry;
    }

    /** A request whose number is in the own log: the same one is answered again, another one is evidence. */
    private Optional<Refusal> known(
            ClientConnection connection,
            ClientLedger ledger,
            Request request,
            Signed<ClientSigned> signed,
            ClientLedger.Own own) {
        if (own.identity().equals(signed.identity())) {
            return repeat(connection, ledger, request, signed, own);
        }
        applier.numberReused(logs.own().entry(own.sequence()), signed);
        return refusal(request, Reason.NUMBER_REUSED, "another request has this number");
    }

    private Optional<Refusal> repeat(
            ClientConnection connection,
            ClientLedger ledger,
            Request request,
            Signed<ClientSigned> signed,
            ClientLedger.Own own) {
        Signed<Response> response = ledger.answer(request.number()).orElse(null);
        if (response == null) {
            Entry entry = logs.own().entry(own.sequence());
            if (!logs.delivered(entry.dependencies())) {
                return refusal(request, Reason.BUSY, "this server repairs what the answer depends on");
            }
            // The roots there may have to come first. What the counter was then is not kept that long.
            leaves.with(request.client(), leaves.needs().sizes(entry.dependencies()), () -> {
                if (!logs.knowsRoots(entry.dependencies())
                        || ledger.own(request.number()).filter(own::equals).isEmpty()) {
                    anew(connection, ledger, request, signed).ifPresent(refusal -> refuse(connection.id, refusal));
                    return;
                }
                repeat(
                        connection,
                        responses.update(ledger, entry, request.number(), Value.sequence(List.of())),
                        request,
                        own);
            });
        } else {
            repeat(connection, response, request, own);
        }
        return Optional.empty();
    }

    /**
     * What the answer depends on is forgotten, so that it can never be given again. What a certificate covers is entered once more
     * then, as an update is whose entry is forgotten: it counts once, and its new place can be confirmed.
     */
    private Optional<Refusal> anew(
            ClientConnection connection, ClientLedger ledger, Request request, Signed<ClientSigned> signed) {
        boolean certified = ledger.own(request.number())
                .filter(own -> confirmations.certifies(new Dot(settings.index(), own.sequence())))
                .isPresent();
        return certified
                ? enter(connection, ledger, request, signed)
                : refusal(request, Reason.BUSY, "this server has forgotten what the answer depends on");
    }

    private void repeat(ClientConnection connection, Signed<Response> response, Request request, ClientLedger.Own own) {
        responses.answer(connection, response, null);
        counters.count("answers_repeated");
        Dot dot = new Dot(settings.index(), own.sequence());
        confirmations.confirmIfCertified(connection, request.client(), request.number(), dot);
    }
}
