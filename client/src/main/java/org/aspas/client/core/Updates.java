package org.aspas.client.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Confirmation.Covered;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.type.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a client: the window of τ unconfirmed ones and those that wait for room in it (paper §3.6; the protocol
 * page, docs/protocol.md §6). Numbers are given when an update enters the window, so that they stay contiguous.
 */
final class Updates {
    private final CoreSettings settings;
    private final ClientId self;
    private final Sealer sealer;
    private final ResponseCheck check;
    private final Outbox outbox;
    private final TreeMap<Long, PendingUpdate> unconfirmed = new TreeMap<>();
    private final SendQueue queue = new SendQueue();
    private final ArrayDeque<Event.Update> waiting = new ArrayDeque<>();
    private long lastNumber;
    private long tolerance;
    private boolean online;
    private boolean paused;
    /** A number that the server refused and that nothing holds now; 0 for none. */
    private long hole;

    Updates(
            CoreSettings settings,
            ClientId self,
            Sealer sealer,
            ResponseCheck check,
            Outbox outbox,
            ClientRecord record,
            long tolerance) {
        this.settings = settings;
        this.self = self;
        this.sealer = sealer;
        this.check = check;
        this.outbox = outbox;
        this.lastNumber = record.lastNumber();
        this.tolerance = tolerance;
        for (Signed<ClientSigned> body : record.unconfirmed()) {
            if (body.message() instanceof Request request) {
                remember(new PendingUpdate(PendingUpdate.NO_TICKET, request.number(), body));
            }
        }
    }

    int unconfirmed() {
        return unconfirmed.size();
    }

    int waiting() {
        return waiting.size();
    }

    long tolerance() {
        return tolerance;
    }

    ClientRecord record(long certificate) {
        List<Signed<ClientSigned>> bodies = new ArrayList<>();
        unconfirmed.values().forEach(update -> bodies.add(update.body));
        return new ClientRecord(lastNumber, certificate, bodies);
    }

    void submit(Event.Update update) {
        Optional<String> complaint = complaint(update);
        if (complaint.isPresent()) {
            outbox.fail(update.ticket(), new Failure.Invalid(complaint.get()));
        } else if (waiting.isEmpty() && hasRoom()) {
            enter(update);
            pump();
        } else if (waiting.size() < settings.bounds().waiting()) {
            waiting.add(update);
        } else {
            outbox.fail(
                    update.ticket(),
                    new Failure.Overflow(unconfirmed.size() + " updates are unconfirmed and " + waiting.size()
                            + " wait: no more are taken"));
        }
    }

    private Optional<String> complaint(Event.Update update) {
        int bytes = update.key().getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > settings.bounds().keyBytes()) {
            return Optional.of(
                    "a key has 1 to " + settings.bounds().keyBytes() + " bytes of UTF-8, this one has " + bytes);
        }
        return DataTypes.byName(update.type())
                .map(type -> type.check(update.operation()))
                .orElseGet(() -> Optional.of("there is no datatype " + update.type()));
    }

    private boolean hasRoom() {
        long bound = settings.bounds().unconfirmed();
        return unconfirmed.size() < (tolerance == 0 ? bound : Math.min(tolerance, bound));
    }

    private void enter(Event.Update update) {
        lastNumber++;
        Request request = new Request(self, lastNumber, update.key(), update.type(), update.operation());
        remember(new PendingUpdate(update.ticket(), lastNumber, sealer.<ClientSigned>seal(request)));
        outbox.recordChanged();
    }

    private void remember(PendingUpdate update) {
        unconfirmed.put(update.number, update);
        queue.add(update);
    }

    /** Lets waiting updates into the window and sends what may be sent. */
    void pump() {
        if (online && !paused && hole != 0) {
            closeHole();
        }
        while (!waiting.isEmpty() && hasRoom()) {
            enter(waiting.remove());
        }
        while (online && !paused && hole == 0) {
            PendingUpdate next = queue.next(settings.bounds().unanswered());
            if (next == null) {
                return;
            }
            outbox.send(next.body);
        }
    }

    /** Once nothing later is on its way, the later updates that were not taken move up by one. */
    private void closeHole() {
        if (queue.anyOnItsWayAfter(hole)) {
            return;
        }
        List<PendingUpdate> later = queue.takeAfter(hole);
        later.forEach(update -> unconfirmed.remove(update.number));
        lastNumber = hole - 1;
        for (PendingUpdate update : later) {
            Request old = (Request) update.body.message();
            update.number = ++lastNumber;
            update.body =
                    sealer.<ClientSigned>seal(new Request(self, update.number, old.key(), old.type(), old.operation()));
            remember(update);
        }
        hole = 0;
        outbox.recordChanged();
    }

    /** Everything unconfirmed is given to the server again: same bytes, in order. */
    void connected() {
        online = true;
        paused = false;
        queue.clear();
        unconfirmed.values().forEach(queue::add);
        pump();
    }

    void disconnected() {
        online = false;
    }

    void tick() {
        paused = false;
        pump();
    }

    void tolerance(long changed) {
        tolerance = changed;
        if (changed != 1) {
            unconfirmed.values().forEach(this::tell);
        }
        pump();
    }

    /** Takes an answer to an update; {@code finding} is what the common checks found. */
    void answered(Signed<Response> signed, @Nullable NotVerified finding) {
        long number = signed.message().reference();
        PendingUpdate update = unconfirmed.get(number);
        if (update == null) {
            strange(number, finding);
            return;
        }
        NotVerified wrong = finding != null
                ? finding
                : check.entry(signed.message(), update.body).orElse(null);
        queue.done(number);
        if (number > hole) {
            hole = 0;
        }
        if (wrong != null) {
            reject(update, wrong);
        } else if (update.answer != null) {
            repeated(update, signed.message(), update.answer.message());
        } else {
            update.answer = signed;
            accept(update);
        }
        pump();
    }

    private void strange(long number, @Nullable NotVerified finding) {
        if (finding != null) {
            outbox.notVerified(finding);
        } else if (number < 1 || number > lastNumber) {
            outbox.notVerified(new NotVerified(Check.ADDRESS, "an answer to request " + number + ", never made"));
        }
    }

    private void repeated(PendingUpdate update, Response again, Response first) {
        if (!Objects.equals(again.dot(), first.dot())) {
            reject(update, new NotVerified(Check.REPEATED_ANSWER, "request " + update.number + " got two dots"));
        }
    }

    private void accept(PendingUpdate update) {
        if (tolerance != 1) {
            tell(update);
        }
        PendingUpdate.Early early = update.early;
        if (early != null) {
            confirm(early.certificate(), early.covered());
        }
    }

    private void tell(PendingUpdate update) {
        Signed<Response> answer = update.answer;
        if (answer == null || update.told || update.failed) {
            return;
        }
        update.told = true;
        outbox.add(new Effect.Answered(update.ticket, update.number, dotOf(answer), answer));
    }

    private static Dot dotOf(Signed<Response> answer) {
        Dot dot = answer.message().dot();
        if (dot == null) {
            throw new IllegalStateException("accepted an answer without a dot: " + answer);
        }
        return dot;
    }

    /** The call fails; the request stays unconfirmed, for a proof may still come. */
    private void reject(PendingUpdate update, NotVerified wrong) {
        outbox.notVerified(wrong);
        if (!update.failed) {
            update.failed = true;
            outbox.fail(update.ticket, wrong);
        }
    }

    /** Takes one item of a confirmation whose certificate is verified. */
    void confirm(Certificate certificate, Covered covered) {
        PendingUpdate update = unconfirmed.get(covered.number());
        if (update == null || covered.dot().origin() != settings.server()) {
            return; // At another origin the same request has another leaf, which only that origin's answer tells.
        }
        Signed<Response> answer = update.answer;
        if (answer == null) {
            update.early = new PendingUpdate.Early(certificate, covered);
            return;
        }
        Optional<NotVerified> wrong = InclusionCheck.check(certificate, covered, answer.message());
        if (wrong.isPresent()) {
            reject(update, wrong.get());
            return;
        }
        unconfirmed.remove(update.number);
        queue.done(update.number);
        outbox.recordChanged();
        if (!update.failed) {
            tell(update);
            outbox.add(new Effect.Confirmed(update.ticket, update.number, covered.dot(), certificate, covered.proof()));
        }
    }

    /** A confirmation that names a certificate that proves nothing. */
    void confirmationRejected(List<Covered> covered, NotVerified wrong) {
        for (Covered item : covered) {
            PendingUpdate update = unconfirmed.get(item.number());
            if (update != null && !update.failed) {
                update.failed = true;
                outbox.fail(update.ticket, wrong);
            }
        }
    }

    void refused(Refusal refusal) {
        long number = refusal.reference();
        PendingUpdate update = queue.onItsWay(number);
        if (update == null) {
            return;
        }
        boolean earlierMissing = (hole != 0 && hole < number) || queue.hasToSendBefore(number);
        if (refusal.reason() == Refusal.Reason.BUSY) {
            paused = true;
            queue.again(number);
        } else if (refusal.reason() == Refusal.Reason.BEHIND && earlierMissing) {
            queue.again(number);
        } else {
            drop(update, refusal);
        }
        pump();
    }

    private void drop(PendingUpdate update, Refusal refusal) {
        unconfirmed.remove(update.number);
        queue.done(update.number);
        outbox.recordChanged();
        boolean numberTaken = refusal.reason() == Refusal.Reason.NUMBER_REUSED;
        if (!numberTaken && (hole == 0 || update.number < hole)) {
            hole = update.number;
        }
        if (!update.failed) {
            update.failed = true;
            outbox.fail(update.ticket, new Failure.Refused(refusal.reason(), refusal.detail()));
        }
    }

    void end(Failure why) {
        for (PendingUpdate update : unconfirmed.values()) {
            if (!update.failed) {
                outbox.fail(update.ticket, why);
            }
        }
        waiting.forEach(update -> outbox.fail(update.ticket(), why));
        unconfirmed.clear();
        waiting.clear();
        queue.clear();
    }
}
