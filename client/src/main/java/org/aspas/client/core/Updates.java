package org.aspas.client.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.crdt.type.DataTypes;

/**
 * The updates of a client on their way to a server: from the call, through the wait for room, into the {@link Window} of τ,
 * signed and sent as often as it takes (paper §3.6; the protocol page, docs/protocol.md §6). What was signed under a number
 * stays bound to it for ever, whoever refuses it: two contents under one number are evidence.
 */
final class Updates {
    private final CoreSettings settings;
    private final Others others;
    private final Sealer sealer;
    private final Outbox outbox;
    private final EffectCheck effects;
    private final RefusedUpdates refusals;
    private final Window window;
    private final SendQueue queue;
    private final ArrayDeque<Event.Update> waiting = new ArrayDeque<>();
    private boolean online;
    private boolean paused;

    Updates(
            CoreSettings settings,
            Others others,
            Sealer sealer,
            Outbox outbox,
            Window window,
            SendQueue queue,
            EffectCheck effects) {
        this.settings = settings;
        this.others = others;
        this.sealer = sealer;
        this.outbox = outbox;
        this.effects = effects;
        this.refusals = new RefusedUpdates(settings.policy(), others.servers, others.ticks, outbox);
        this.window = window;
        this.queue = queue;
        window.all().forEach(queue::add);
    }

    int waiting() {
        return waiting.size();
    }

    void submit(Event.Update update) {
        Optional<String> complaint = complaint(update);
        if (complaint.isPresent()) {
            outbox.fail(update.ticket(), new Failure.Invalid(complaint.get()));
        } else if (waiting.isEmpty() && window.hasRoom()) {
            enter(update);
            pump();
        } else if (waiting.size() < settings.bounds().waiting()) {
            waiting.add(update);
        } else {
            outbox.fail(
                    update.ticket(),
                    new Failure.Overflow(window.size() + " updates are unconfirmed and " + waiting.size()
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

    private void enter(Event.Update update) {
        Request request =
                new Request(others.self, window.nextNumber(), update.key(), update.type(), update.operation());
        Signed<ClientSigned> body = sealer.<ClientSigned>seal(request);
        int most = settings.bounds().requestBytes();
        if (body.payload().length > most) {
            outbox.fail(
                    update.ticket(),
                    new Failure.Invalid(
                            "a request has at most " + most + " bytes, this one has " + body.payload().length));
            return;
        }
        PendingUpdate entered = new PendingUpdate(update.ticket(), request.number(), body, others.ticks.now());
        window.enter(entered);
        outbox.add(new Effect.Entered(entered.ticket, entered.number));
        queue.add(entered);
        outbox.recordChanged();
    }

    /** Lets waiting updates into the window and sends what may be sent. */
    void pump() {
        while (!waiting.isEmpty() && window.hasRoom()) {
            enter(waiting.remove());
        }
        while (online && !paused) {
            PendingUpdate next = queue.next(settings.bounds().unanswered(), window::mayBeSent);
            if (next == null) {
                return;
            }
            window.sent(next);
            outbox.send(next.body);
        }
    }

    /** Everything unconfirmed is given to the server again: same bytes, in order. */
    void connected() {
        online = true;
        paused = false;
        queue.clear();
        for (PendingUpdate update : window.all()) {
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
        for (PendingUpdate update : window.all()) {
            update.since = others.ticks.now();
            update.early = null;
            update.behindSince = -1;
        }
    }

    void tick() {
        paused = false;
        pump();
    }

    void refused(Refusal refusal) {
        PendingUpdate update = queue.onItsWay(refusal.reference());
        if (update == null) {
            effects.hint(refusal);
            return;
        }
        switch (refusals.judge(update, refusal, queue.hasToSendBefore(update.number))) {
            case AT_ONCE -> queue.again(update.number);
            case LATER -> {
                paused = true;
                queue.again(update.number);
            }
        }
        pump();
    }

    void end(Failure why) {
        for (PendingUpdate update : window.all()) {
            if (update.sent || update.ticket == Effect.NO_TICKET || settings.persistent()) {
                outbox.mayTakeEffect(update, why);
            } else {
                outbox.fail(update.ticket, why);
            }
        }
        waiting.forEach(update -> outbox.fail(update.ticket(), why));
        window.clear();
        waiting.clear();
        queue.clear();
    }
}
