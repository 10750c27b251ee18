package org.aspas.client.core;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Confirmation.Covered;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.client.core.RefusedUpdates.Again;
import org.jspecify.annotations.Nullable;

/**
 * The updates of a client on their way to a server: from the call, through the wait for room, into the {@link Window} of τ,
 * signed and sent as often as it takes (paper §3.6; the protocol page, docs/protocol.md §6). What was signed under a number
 * stays bound to it for ever, whoever refuses it: two contents under one number are evidence.
 */
public final class Updates {
    private final ClientSettings settings;
    private final Identity self;
    private final Window window;
    private final UpdateAnswers answers;
    private final RefusedUpdates refusals;
    private final SendGate gate;
    private final Function<Signed<ClientSigned>, Frame> tagger;
    private final Step step;
    private final ArrayDeque<Event.Update> waiting = new ArrayDeque<>();
    private long waited;
    private boolean online;
    private boolean paused;

    public Updates(
            ClientSettings settings,
            Identity self,
            Window window,
            UpdateAnswers answers,
            RefusedUpdates refusals,
            SendGate gate,
            Function<Signed<ClientSigned>, Frame> tagger,
            Step step) {
        this.settings = settings;
        this.self = self;
        this.window = window;
        this.answers = answers;
        this.refusals = refusals;
        this.gate = gate;
        this.tagger = tagger;
        this.step = step;
    }

    /** How many updates wait for room in the window. */
    public int waiting() {
        return waiting.size();
    }

    /** How many updates τ made wait: for room in the window, or with τ = 1 for their own confirmation. */
    public long waited() {
        return waited;
    }

    /** The signed requests that are unconfirmed, those of earlier clients with the key first. */
    public List<Request> unconfirmed() {
        return window.all().stream().map(PendingUpdate::request).toList();
    }

    public void submit(Event.Update update) {
        Optional<String> fault = CallCheck.update(
                update.key(),
                update.type(),
                update.operation(),
                settings.bounds().keyBytes());
        if (fault.isPresent()) {
            step.fail(update.call(), new Failure.Invalid(fault.get()));
        } else if (waiting.isEmpty() && window.hasRoom()) {
            waited += window.tolerance() == 1 ? 1 : 0;
            enter(update);
            pump();
        } else if (waiting.size() < settings.bounds().waiting()) {
            waited++;
            waiting.add(update);
        } else {
            step.fail(
                    update.call(),
                    new Failure.Overflow(window.size() + " updates are unconfirmed and " + waiting.size()
                            + " wait: no more are taken"));
        }
    }

    /** The application waits no longer: an update without a number never gets one. */
    public void withdraw(CallId call, Failure why) {
        if (waiting.removeIf(update -> update.call().equals(call))) {
            step.fail(call, why);
        }
    }

    private void enter(Event.Update update) {
        Request request = new Request(self.id(), window.nextNumber(), update.key(), update.type(), update.operation());
        Signed<ClientSigned> body = self.<ClientSigned>sign(request);
        int most = settings.bounds().requestBytes();
        if (body.payload().length > most) {
            step.fail(
                    update.call(),
                    new Failure.Invalid(
                            "a request has at most " + most + " bytes, this one has " + body.payload().length));
            return;
        }
        PendingUpdate entered = new PendingUpdate(update.call(), request.number(), body);
        window.enter(entered);
        step.recordChanged();
        step.add(new Effect.Entered(entered.call, entered.client(), entered.number));
    }

    /** Lets waiting updates into the window and sends what may be sent. */
    public void pump() {
        while (!waiting.isEmpty() && window.hasRoom()) {
            enter(waiting.remove());
        }
        while (online && !paused) {
            PendingUpdate next = gate.next();
            if (next == null) {
                return;
            }
            step.sendSigned(tagger.apply(next.body));
        }
    }

    /** τ: from 1, or 0 for unbounded. */
    public long tolerance() {
        return window.tolerance();
    }

    /** The application changes τ: from 1, or 0 for unbounded. */
    public void tolerance(long tolerance) {
        window.tolerance(tolerance);
        if (tolerance != 1) {
            answers.tellAll();
        }
        pump();
    }

    /** Takes an answer to an update; {@code finding} is what the common checks found. */
    public void answered(Signed<Response> signed, @Nullable NotVerified finding) {
        Response response = signed.message();
        PendingUpdate update = window.onItsWay(response.client(), response.reference());
        if (update != null) {
            gate.answered(update);
        }
        answers.answered(signed, finding);
        pump();
    }

    /** Takes a standing whose signature is right: the present server may say what it holds. */
    public void standing(Standing standing) {
        gate.standing(standing);
        pump();
    }

    /** Takes a confirmation whose certificate is verified; {@link #pump} is to follow. */
    public void confirmed(Certificate certificate, ClientId client, List<Covered> covered) {
        answers.confirmed(certificate, client, covered);
    }

    public void confirmationRejected(ClientId client, List<Covered> covered, NotVerified wrong) {
        answers.confirmationRejected(client, covered, wrong);
    }

    /** Everything unconfirmed that the server does not hold is given to it again: same bytes, in order. */
    public void connected() {
        online = true;
        paused = false;
        window.sendAll();
        window.all().forEach(update -> update.refusedHere = false);
        gate.connected();
        pump();
    }

    /** What was sent and not answered has to be sent again. */
    public void disconnected() {
        online = false;
        gate.disconnected();
    }

    public void switched() {
        gate.switched();
        for (PendingUpdate update : window.all()) {
            update.since = -1;
            update.coveredSince = -1;
            update.givenAt = -1;
            update.early = null;
            update.behindSince = -1;
        }
    }

    /** A server that was busy is asked again. */
    public void tick() {
        paused = false;
        gate.tick();
        pump();
    }

    public void refused(Refusal refusal) {
        SendQueue queue = window.queue();
        PendingUpdate update = window.onItsWay(refusal.client(), refusal.reference());
        if (update == null) {
            answers.hint(refusal);
            return;
        }
        paused |= refusals.judge(update, refusal, queue.hasToSendBefore(update.place)) == Again.LATER;
        queue.again(update.place);
        pump();
    }

    /** Fails what is pending, or says that it may take effect. */
    public void end(Failure why) {
        for (PendingUpdate update : window.all()) {
            if (update.sent || update.call.equals(CallId.NONE) || settings.persistent()) {
                update.mayTakeEffect(step, why);
            } else {
                step.fail(update.call, why);
            }
        }
        waiting.forEach(update -> step.fail(update.call(), why));
        window.clear();
        waiting.clear();
    }
}
