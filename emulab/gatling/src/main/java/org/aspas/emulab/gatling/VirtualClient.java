package org.aspas.emulab.gatling;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.CallId;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.client.core.Notice;

/**
 * The client of one virtual user: a shell around the client library's pure core that neither sends nor receives by itself.
 * Gatling sends the frames that {@link #take} and {@link #request} give and hands over every frame that comes. One step is
 * under way at a time: the greeting, the session, then one call after the other.
 *
 * <p>Confined to the event loop of its virtual user.
 */
final class VirtualClient {
    /** The outcome of a step whose answer, and all that came before it, was verified. */
    static final String VERIFIED = "verified";

    private enum Step {
        GREETING,
        SESSION,
        CALL
    }

    private final ClientCore core;
    private final long room;
    private final VerificationCounts counts;
    private final long startNanos = System.nanoTime();
    private final ArrayDeque<byte[]> outgoing = new ArrayDeque<>();
    private final Set<String> findings = new LinkedHashSet<>();
    private CallId call = CallId.NONE;
    private Step step = Step.GREETING;
    private boolean done;
    private boolean broken;

    /**
     * A client whose server has not greeted.
     *
     * @param room how many updates may be unconfirmed at once
     */
    VirtualClient(ClientCore core, long room, VerificationCounts counts) {
        this.core = core;
        this.room = room;
        this.counts = counts;
        process(new Event.Connected());
    }

    void tick() {
        process(new Event.Tick(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos)));
    }

    /** Whether τ lets another update be made now. */
    boolean hasRoom() {
        return core.unconfirmed() < room;
    }

    /** Whether frames are to be sent before the next call. */
    boolean hasFrames() {
        return !outgoing.isEmpty();
    }

    int unconfirmed() {
        return core.unconfirmed();
    }

    /** The oldest frame that is to be sent. */
    byte[] take() {
        return outgoing.remove();
    }

    /** The answer to the greeting, which asks for a session. */
    byte[] openSession() {
        begin(Step.SESSION);
        return take();
    }

    /**
     * Begins a call.
     *
     * @return the frame to send
     * @throws IllegalStateException when the core sends nothing for it: Gatling counts the request as KO
     */
    byte[] request(FeedOperation operation) {
        begin(Step.CALL);
        call = new CallId(call.value() + 1);
        process(operation.call(call));
        if (operation.action().update()) {
            counts.updates.increment();
        }
        byte[] frame = outgoing.poll();
        if (frame == null) {
            throw new IllegalStateException("the client sends nothing: " + outcome());
        }
        return frame;
    }

    private void begin(Step next) {
        step = next;
        done = false;
    }

    /**
     * Takes a frame.
     *
     * @return whether the step that is under way is over by it: {@link #outcome} says how
     */
    boolean receive(byte[] bytes) {
        Decoded<Frame> decoded = Codec.decode(bytes);
        if (decoded instanceof Decoded.Accepted<Frame> accepted) {
            process(new Event.FrameReceived(accepted.value()));
            refusal(accepted.value());
        } else if (decoded instanceof Decoded.Rejected<Frame> rejected) {
            process(new Event.FrameRejected(rejected.reason()));
        }
        return done;
    }

    /** A user does not ask again by itself: a refusal is the outcome. */
    private void refusal(Frame frame) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Refusal refusal) {
            over("the server refuses: " + refusal.reason());
        }
    }

    /** Whether the step that was begun last is over, and the session can be used. */
    boolean usable() {
        return done && !broken;
    }

    /** {@link #VERIFIED}, or what was found wrong since the last call of this. */
    String outcome() {
        String outcome = findings.isEmpty() ? VERIFIED : String.join("; ", findings);
        findings.clear();
        return outcome;
    }

    private void process(Event event) {
        core.step(event).forEach(this::perform);
        if (step == Step.GREETING && hasFrames()) {
            done = true;
        }
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Send send) {
            outgoing.add(Codec.encode(send.frame()));
        } else if (effect instanceof Effect.Answered answered) {
            answered(answered.call());
        } else if (effect instanceof Effect.ReadDone read) {
            answered(read.call());
        } else if (effect instanceof Effect.Confirmed) {
            counts.confirmations.increment();
        } else if (effect instanceof Effect.Failed failed) {
            failed(failed.call(), failed.failure());
        } else if (effect instanceof Effect.MayTakeEffect doubtful) {
            failed(doubtful.call(), doubtful.why());
        } else if (effect instanceof Effect.Noticed noticed) {
            noticed(noticed.notice());
        } else if (effect instanceof Effect.Reconnect || effect instanceof Effect.Ended) {
            broken = true;
            over("the session is of no use any more");
        }
    }

    private void answered(CallId which) {
        counts.answers.increment();
        done |= step == Step.CALL && which.equals(call);
    }

    private void failed(CallId which, Failure failure) {
        if (which.equals(call)) {
            over(sentence(failure));
        }
    }

    private void over(String finding) {
        findings.add(finding);
        done = true;
    }

    /** Without the details, which differ each time: Gatling counts equal messages. */
    private static String sentence(Failure failure) {
        return failure instanceof Failure.NotVerified wrong
                ? "verification failed: " + wrong.check()
                : failure.sentence();
    }

    private void noticed(Notice notice) {
        if (notice instanceof Notice.SessionOpened) {
            counts.sessions.increment();
            done |= step == Step.SESSION;
        } else if (notice instanceof Notice.VerificationFailed wrong) {
            counts.failures.increment();
            findings.add(sentence(new Failure.NotVerified(wrong.check(), wrong.detail())));
        } else if (notice instanceof Notice.ProtocolBroken) {
            findings.add("the server breaks the protocol");
        }
    }
}
