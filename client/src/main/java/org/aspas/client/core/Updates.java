package org.aspas.client.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Confirmation.Covered;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.ClientEvent.RevokedUpdate;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.type.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a client: the window of τ unconfirmed ones and those that wait for room in it (paper §3.6; the protocol
 * page, docs/protocol.md §6). Numbers are given when an update enters the window, so that they stay contiguous. What was
 * signed under a number stays bound to it for ever, whoever refuses it: two contents under one number are evidence.
 */
final class Updates {
    private final CoreSettings settings;
    private final Others others;
    private final Sealer sealer;
    private final ResponseCheck check;
    private final Inspection inspection;
    private final Outbox outbox;
    private final RefusedUpdates refusals;
    private final TreeMap<Long, PendingUpdate> unconfirmed = new TreeMap<>();
    private final SendQueue queue = new SendQueue();
    private final ArrayDeque<Event.Update> waiting = new ArrayDeque<>();
    private long lastNumber;
    private long announced;
    private long tolerance;
    private boolean online;
    private boolean paused;

    Updates(
            CoreSettings settings,
            Others others,
            Sealer sealer,
            ResponseCheck check,
            Inspection inspection,
            Outbox outbox,
            ClientRecord record,
            long tolerance) {
        this.settings = settings;
        this.others = others;
        this.sealer = sealer;
        this.check = check;
        this.inspection = inspection;
        this.outbox = outbox;
        this.refusals = new RefusedUpdates(settings.policy(), others.ticks, outbox);
        this.lastNumber = record.lastNumber();
        this.announced = record.lastNumber();
        this.tolerance = tolerance;
        for (Signed<ClientSigned> body : record.unconfirmed()) {
            if (body.message() instanceof Request request) {
                remember(new PendingUpdate(PendingUpdate.NO_TICKET, request.number(), body, 0));
                announced = Math.min(announced, request.number() - 1);
            }
        }
    }

    int unconfirmed() {
        return unconfirmed.size();
    }

    Collection<PendingUpdate> all() {
        return unconfirmed.values();
    }

    int waiting() {
        return waiting.size();
    }

    long tolerance() {
        return tolerance;
    }

    /** The unconfirmed update with the lowest number. */
    @Nullable
    PendingUpdate oldest() {
        return unconfirmed.isEmpty() ? null : unconfirmed.firstEntry().getValue();
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
        Request request = new Request(others.self, lastNumber + 1, update.key(), update.type(), update.operation());
        Signed<ClientSigned> body = sealer.<ClientSigned>seal(request);
        int most = settings.bounds().requestBytes();
        if (body.payload().length > most) {
            outbox.fail(
                    update.ticket(),
                    new Failure.Invalid(
                            "a request has at most " + most + " bytes, this one has " + body.payload().length));
            return;
        }
        lastNumber++;
        remember(new PendingUpdate(update.ticket(), lastNumber, body, others.ticks.now()));
        outbox.recordChanged();
    }

    private void remember(PendingUpdate update) {
        unconfirmed.put(update.number, update);
        queue.add(update);
    }

    /** Lets waiting updates into the window and sends what may be sent. */
    void pump() {
        while (!waiting.isEmpty() && hasRoom()) {
            enter(waiting.remove());
        }
        while (online && !paused) {
            PendingUpdate next = queue.next(settings.bounds().unanswered());
            if (next == null) {
                return;
            }
            outbox.send(next.body);
        }
    }

    /** Everything unconfirmed is given to the server again: same bytes, in order. */
    void connected() {
        online = true;
        paused = false;
        queue.clear();
        for (PendingUpdate update : unconfirmed.values()) {
            update.refusedHere = false;
            queue.add(update);
        }
        pump();
    }

    void disconnected() {
        online = false;
    }

    /** The client turned to another server, which gets the full grace time. */
    void switched() {
        for (PendingUpdate update : unconfirmed.values()) {
            update.since = others.ticks.now();
            update.early = null;
        }
    }

    void tick() {
        paused = false;
        pump();
    }

    void tolerance(long changed) {
        tolerance = changed;
        if (changed != 1) {
            for (PendingUpdate update : unconfirmed.values()) {
                update.answers.values().stream().findFirst().ifPresent(answer -> tell(update, answer));
            }
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
        if (wrong != null) {
            reject(update, wrong);
        } else {
            Signed<Response> before =
                    update.answers.putIfAbsent(signed.message().server(), signed);
            if (before == null) {
                accept(update, signed);
            } else if (!Objects.equals(before.message().dot(), signed.message().dot())) {
                reject(update, new NotVerified(Check.REPEATED_ANSWER, "request " + number + " got two dots"));
            }
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

    private void accept(PendingUpdate update, Signed<Response> answer) {
        update.behindSince = -1;
        if (inspection.drawn()) {
            inspection.inspect(answer, update.question());
        }
        if (tolerance != 1) {
            tell(update, answer);
        }
        PendingUpdate.Early early = update.early;
        if (early != null) {
            confirm(early.certificate(), early.covered());
        }
    }

    private void tell(PendingUpdate update, Signed<Response> answer) {
        if (!update.told && !update.failed) {
            update.told = true;
            outbox.add(new Effect.Answered(update.ticket, update.number, PendingUpdate.dotOf(answer), answer));
        }
    }

    /**
     * A client that stays with its server fails the call; one that switches keeps it open for the next server. The request
     * stays unconfirmed in any case, for a proof may still come.
     */
    private void reject(PendingUpdate update, NotVerified wrong) {
        outbox.notVerified(wrong);
        if (!update.failed && !settings.policy().switching()) {
            update.failed = true;
            outbox.fail(update.ticket, wrong);
        }
    }

    /** Takes one item of a confirmation whose certificate is verified. Any place that a server answered counts. */
    void confirm(Certificate certificate, Covered covered) {
        PendingUpdate update = unconfirmed.get(covered.number());
        if (update == null) {
            return;
        }
        int origin = covered.dot().origin();
        Signed<Response> answer = update.answers.get(origin);
        if (answer == null) {
            if (origin == others.servers.current()) {
                update.early = new PendingUpdate.Early(certificate, covered);
            }
            return; // At another origin the request has another leaf, which only that origin's answer tells.
        }
        Optional<NotVerified> wrong = InclusionCheck.check(certificate, covered, answer.message());
        if (wrong.isPresent()) {
            inspection.doubt(answer, update.question());
            reject(update, wrong.get());
            return;
        }
        unconfirmed.remove(update.number);
        queue.done(update.number);
        outbox.recordChanged();
        if (!update.failed) {
            tell(update, answer);
            outbox.add(new Effect.Confirmed(update.ticket, update.number, covered.dot(), certificate, covered.proof()));
        }
    }

    /** Says up to which number all is confirmed, if that is news; whether it is. */
    boolean announce(long certificate) {
        long number = unconfirmed.isEmpty() ? lastNumber : unconfirmed.firstKey() - 1;
        if (number <= announced) {
            return false;
        }
        announced = number;
        outbox.happened(new ClientEvent.Confirmed(number, certificate));
        return true;
    }

    /** A confirmation that names a certificate that proves nothing. */
    void confirmationRejected(List<Covered> covered, NotVerified wrong) {
        if (settings.policy().switching()) {
            return;
        }
        for (Covered item : covered) {
            PendingUpdate update = unconfirmed.get(item.number());
            if (update != null && !update.failed) {
                update.failed = true;
                outbox.fail(update.ticket, wrong);
            }
        }
    }

    /** Forgets the answers whose places lie beyond a cut, and says which updates have no place left. */
    void cut(List<Exclusion> exclusions) {
        List<RevokedUpdate> revoked = new ArrayList<>();
        for (PendingUpdate update : unconfirmed.values()) {
            Dot lost = null;
            for (Exclusion exclusion : exclusions) {
                Signed<Response> answer = update.answers.get(exclusion.origin());
                if (answer != null && PendingUpdate.dotOf(answer).sequence() > exclusion.cut()) {
                    update.answers.remove(exclusion.origin());
                    lost = PendingUpdate.dotOf(answer);
                }
            }
            if (lost != null && update.answers.isEmpty()) {
                Request request = (Request) update.body.message();
                revoked.add(new RevokedUpdate(update.number, lost, request.key(), request.type(), request.operation()));
            }
        }
        if (!revoked.isEmpty()) {
            outbox.happened(new ClientEvent.Revoked(revoked));
        }
    }

    void refused(Refusal refusal) {
        PendingUpdate update = queue.onItsWay(refusal.reference());
        if (update == null) {
            return;
        }
        switch (refusals.judge(update, refusal, queue.hasToSendBefore(update.number))) {
            case AT_ONCE -> queue.again(update.number);
            case LATER -> {
                paused = true;
                queue.again(update.number);
            }
            case NEVER -> {
                unconfirmed.remove(update.number);
                queue.done(update.number);
                outbox.recordChanged();
            }
        }
        pump();
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
