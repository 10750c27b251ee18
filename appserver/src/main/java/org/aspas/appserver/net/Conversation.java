package org.aspas.appserver.net;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection. Frames come in one after another; {@link #send} comes from the core's thread. The queue of a client that does not read fills up, by messages or by bytes, and a full queue ends the
 * connection with all that waits: waiting for one client would hold up all others.
 */
public final class Conversation implements ClientOutlet {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final CompletionStage<Object> DONE = CompletableFuture.completedFuture("done");

    /** What correct clients hear seldom or never, and what costs a flooding one little. */
    private static final Set<Refusal.Reason> OFFENCES = EnumSet.of(
            Refusal.Reason.BAD_SIGNATURE,
            Refusal.Reason.UNKNOWN_CLIENT,
            Refusal.Reason.NO_SESSION,
            Refusal.Reason.NUMBER_REUSED,
            Refusal.Reason.TOO_OFTEN,
            Refusal.Reason.FALSE_COMPLAINTS,
            Refusal.Reason.EXCLUDED);

    private static final Duration OFFENCE_HOLD = Duration.ofMillis(50);
    private static final Duration REPETITION_HOLD = Duration.ofMillis(2);

    private final ClientPort port;
    private final ClientAdmission admission;
    private final ConversationCounters counters;
    private final int maxAnswerBytes;
    private final OutgoingBytes.Line line;
    private final IncomingBytes incoming;
    private final Turns.Line turn;
    private final @Nullable SessionSpans spans;
    private final Tarpit tarpit = new Tarpit(System::nanoTime);
    private long highestNumber;
    private volatile ConnectionPlaces.@Nullable Place sessionless;
    private volatile @Nullable Outbound outbound;
    private volatile ConnectionId number = ConnectionId.NONE;
    private volatile boolean ended;

    Conversation(
            ClientPort port,
            ClientAdmission admission,
            ConversationCounters counters,
            int maxAnswerBytes,
            OutgoingBytes outgoing,
            IncomingBytes incoming,
            Turns.Line turn,
            @Nullable SessionSpans spans) {
        this.port = port;
        this.admission = admission;
        this.counters = counters;
        this.maxAnswerBytes = maxAnswerBytes;
        this.line = outgoing.open(this::cut);
        this.incoming = incoming;
        this.turn = turn;
        this.spans = spans;
    }

    /**
     * Begins without a session; to be called before the first frame.
     *
     * @param enter gives the connection a place among those without a session; it ends the connection by what it is given
     */
    public void begin(Outbound way, Function<Runnable, ConnectionPlaces.Place> enter) {
        outbound = way;
        sessionless = enter.apply(this::giveWay);
        counters.sessionsOpened.increment();
        number = port.open(this);
    }

    /**
     * Asks for the turn of this connection, and for room, before its next frame is handled; {@link #free} gives them back when
     * the core has taken it. To be asked again only when there was room.
     *
     * @return done when there is room, at once if there is now; else on the thread that gives it back, which is not to handle it
     */
    public CompletionStage<?> room(int bytes) {
        CompletionStage<?> mine = turn.begin();
        return mine.toCompletableFuture().isDone()
                ? incoming.take(bytes)
                : mine.thenCompose(begun -> incoming.take(bytes));
    }

    /** Gives back the turn and the room of a frame that was handled. */
    public void free(int bytes) {
        incoming.free(bytes);
        turn.end();
    }

    /** How long the next message is to wait before it is handled, in nanoseconds: the connection has earned a pause. */
    public long pauseNanos() {
        return tarpit.waitNanos();
    }

    /** Why a message is not a frame. */
    public enum Fault {
        TEXT("The protocol has binary messages only."),
        OVERSIZED("The message is larger than the limit."),
        BROKEN("The message did not arrive whole in time.");

        private final String words;

        Fault(String words) {
            this.words = words;
        }
    }

    /** Handles one frame of the client; done when the core has taken it. After the end, nothing is looked at. */
    public CompletionStage<?> received(byte[] bytes) {
        if (ended) {
            return DONE;
        }
        counters.framesReceived.increment();
        return onFrame(bytes);
    }

    /** Ends the connection because something other than a frame came, and tells the client why. */
    public void faulty(Fault fault) {
        if (!ended) {
            (fault == Fault.TEXT ? counters.textFrames : counters.oversizedFrames).increment();
            reject(fault.words);
        }
    }

    private CompletionStage<?> onFrame(byte[] bytes) {
        Decoded<Frame> decoded = Codec.decode(bytes);
        if (decoded instanceof Decoded.Rejected<Frame> rejected) {
            return malformed(rejected.reason());
        }
        Frame frame = ((Decoded.Accepted<Frame>) decoded).value();
        ConnectionPlaces.Place place = sessionless;
        if (place != null) {
            place.heard();
        }
        if (spans != null) {
            spans.arrived(frame);
        }
        Optional<Refusal> refusal = admission.refusal(frame);
        if (refusal.isPresent()) {
            return refuse(refusal.get());
        }
        if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Request request) {
            slowRepetitions(request.number());
        }
        return port.receive(number, frame);
    }

    private CompletionStage<?> refuse(Refusal refusal) {
        if (refusal.reason() == Refusal.Reason.MALFORMED) {
            return malformed("not a message that a client sends");
        }
        if (refusal.reason() == Refusal.Reason.BAD_SIGNATURE) {
            counters.badSignatures.increment();
        }
        send(refusal);
        return DONE;
    }

    /** The order within a connection holds, so that whoever sends a number again lost no message but the answer at most. */
    private void slowRepetitions(long requestNumber) {
        if (requestNumber <= highestNumber) {
            tarpit.hold(REPETITION_HOLD);
        }
        highestNumber = Math.max(highestNumber, requestNumber);
    }

    private CompletionStage<?> malformed(String reason) {
        counters.malformedFrames.increment();
        reject("The frame is refused: " + reason + ".");
        return DONE;
    }

    private void reject(String detail) {
        send(new Refusal(0, false, Refusal.Reason.MALFORMED, detail));
        close();
    }

    @Override
    public void send(Message message) {
        acquainted(message);
        if (spans != null) {
            spans.told(message);
        }
        if (message instanceof Refusal refusal && OFFENCES.contains(refusal.reason())) {
            tarpit.hold(OFFENCE_HOLD);
        }
        byte[] bytes = Codec.encode(message);
        if (bytes.length > maxAnswerBytes
                && message instanceof Answer answer
                && !answer.response().message().isUpdate()) {
            long nonce = answer.response().message().reference();
            bytes = Codec.encode(
                    new Refusal(nonce, true, Refusal.Reason.TOO_LARGE, "The value is larger than a message may be."));
        }
        send(bytes);
    }

    @Override
    public void send(Signed<? extends Message> message) {
        send(Codec.encode(message));
    }

    private void send(byte[] message) {
        Outbound way = outbound;
        if (ended || way == null) {
            return;
        }
        line.add(message.length);
        if (!ended && !way.offer(message)) {
            cut();
        }
    }

    /** A client that gets an answer to an update or a session record has a session. */
    private void acquainted(Message message) {
        ConnectionPlaces.Place place = sessionless;
        if (place != null
                && message instanceof Answer answer
                && answer.response().message().isUpdate()) {
            sessionless = null;
            place.leave();
        }
    }

    public void sent(int bytes) {
        line.sent(bytes);
    }

    /** Ends the connection without what is queued, which the client does not read. */
    private void cut() {
        if (!end()) {
            return;
        }
        counters.slowClients.increment();
        LOG.debug("connection {} is cut: the client does not read its answers", number);
        fail();
    }

    /** Ends the connection to make room for another one. */
    private void giveWay() {
        if (!end()) {
            return;
        }
        counters.strangersEnded.increment();
        LOG.debug("connection {} without a session makes room for another one", number);
        fail();
    }

    private void fail() {
        Outbound way = outbound;
        if (way != null) {
            way.fail();
        }
    }

    /** Whether this is the first end. */
    private synchronized boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    @Override
    public void close() {
        Outbound way = end() ? outbound : null;
        if (way != null) {
            way.complete();
        }
    }

    /** Nothing more will come from the client. */
    public void onEnd() {
        close();
        line.close();
        if (spans != null) {
            spans.end();
        }
        ConnectionPlaces.Place place = sessionless;
        if (place != null) {
            place.leave();
        }
        counters.sessionsClosed.increment();
        port.close(number);
    }

    /**
     * Makes one connection wait for what it did: each hold begins when the ones before it are over, so that a flood of offences
     * comes in no faster than one per hold, however many of its messages were under way. Thread-safe.
     */
    static final class Tarpit {
        private final LongSupplier nanoTime;
        private long freeAt;

        /**
         * A connection that is free.
         *
         * @param nanoTime a clock that never goes back, in nanoseconds, of any origin
         */
        Tarpit(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            this.freeAt = nanoTime.getAsLong();
        }

        synchronized void hold(Duration time) {
            freeAt = nanoTime.getAsLong() + waitNanos() + time.toNanos();
        }

        /** How long the connection has to wait from now on, in nanoseconds; 0 when it is free. */
        synchronized long waitNanos() {
            return Math.max(0, freeAt - nanoTime.getAsLong());
        }
    }
}
