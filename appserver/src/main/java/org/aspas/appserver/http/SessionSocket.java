package org.aspas.appserver.http;

import akka.NotUsed;
import akka.event.Logging;
import akka.http.javadsl.model.RemoteAddress;
import akka.http.javadsl.model.ws.BinaryMessage;
import akka.http.javadsl.model.ws.Message;
import akka.stream.Attributes;
import akka.stream.BoundedSourceQueue;
import akka.stream.Materializer;
import akka.stream.QueueOfferResult;
import akka.stream.StreamLimitReachedException;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.net.Conversation;
import org.aspas.appserver.net.ConversationLimits;
import org.aspas.appserver.net.Conversations;
import org.aspas.appserver.net.Outbound;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes WebSocket connections of clients into conversations with the core. Thread-safe. */
final class SessionSocket {
    private static final CompletionStage<?> NO_PAUSE = CompletableFuture.completedFuture("no pause");

    private final Conversations conversations;
    private final ConversationLimits limits;
    private final Materializer materializer;
    private final HttpConnections connections;

    /** A message that is being handled, so that the next one can be read meanwhile. */
    private record Handled(CompletionStage<?> done) {}

    SessionSocket(Conversations conversations, HttpConnections connections, Materializer materializer) {
        this.conversations = conversations;
        this.limits = conversations.limits();
        this.connections = connections;
        this.materializer = materializer;
    }

    /** The two directions of one new connection, which comes from an address that may be unknown; to be run once. */
    Flow<Message, Message, NotUsed> flow(Optional<RemoteAddress> from) {
        Conversation conversation = conversations.open();
        Sink<Message, NotUsed> inbound = Flow.<Message>create()
                .mapAsync(
                        1,
                        message -> receive(message)
                                .thenCompose(received -> pause(conversation.pauseNanos())
                                        .thenCompose(over -> handle(conversation, received))))
                .mapAsync(limits.framesInFlight(), Handled::done)
                .to(Sink.onComplete(end -> conversation.onEnd()));
        Source<Message, NotUsed> outbound = Source.<byte[]>queue(limits.clientQueue())
                .map(message -> {
                    conversation.sent(message.length);
                    return (Message) BinaryMessage.create(ByteString.fromArrayUnsafe(message));
                })
                .mapMaterializedValue(queue -> {
                    conversation.begin(new StreamOutbound(queue), end -> connections.enterWebSocket(from, end));
                    return NotUsed.getInstance();
                });
        return Flow.fromSinkAndSourceCoupled(inbound, outbound)
                .addAttributes(
                        Attributes.createLogLevels(Logging.DebugLevel(), Logging.DebugLevel(), Logging.ErrorLevel()));
    }

    private CompletionStage<?> pause(long nanos) {
        return nanos == 0
                ? NO_PAUSE
                : CompletableFuture.runAsync(
                        () -> {},
                        CompletableFuture.delayedExecutor(
                                nanos, TimeUnit.NANOSECONDS, materializer.executionContext()));
    }

    /** Begins to handle a message as soon as there is room for it. What it takes is given back whatever becomes of the stream. */
    private CompletionStage<Handled> handle(Conversation conversation, Received received) {
        CompletionStage<?> room = conversation.room(received.bytes().length);
        return room.toCompletableFuture().isDone()
                ? room.thenApply(now -> begun(conversation, received))
                : room.thenApplyAsync(later -> begun(conversation, received), materializer.executionContext());
    }

    private static Handled begun(Conversation conversation, Received received) {
        int bytes = received.bytes().length;
        boolean begun = false;
        try {
            CompletionStage<?> done = given(conversation, received);
            begun = true;
            return new Handled(done.whenComplete((end, failure) -> conversation.free(bytes)));
        } finally {
            if (!begun) {
                conversation.free(bytes);
            }
        }
    }

    private static CompletionStage<?> given(Conversation conversation, Received received) {
        Conversation.Fault fault = received.fault();
        if (fault == null) {
            return conversation.received(received.bytes());
        }
        conversation.faulty(fault);
        return NO_PAUSE;
    }

    private CompletionStage<Received> receive(Message message) {
        if (message.isText()) {
            return CompletableFuture.completedFuture(Received.TEXT);
        }
        BinaryMessage binary = message.asBinaryMessage();
        if (binary.isStrict()) {
            return CompletableFuture.completedFuture(checked(binary.getStrictData()));
        }
        return binary.getStreamedData()
                .completionTimeout(limits.frameTimeout())
                .limitWeighted(limits.maxFrameBytes(), part -> (long) part.size())
                .runFold(ByteString.emptyByteString(), ByteString::concat, materializer)
                .handle((whole, failure) -> {
                    if (failure == null) {
                        return checked(whole);
                    }
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    return cause instanceof StreamLimitReachedException ? Received.OVERSIZED : Received.BROKEN;
                });
    }

    private Received checked(ByteString data) {
        return data.size() > limits.maxFrameBytes() ? Received.OVERSIZED : new Received(data.toArray(), null);
    }

    /**
     * One WebSocket message as it arrived, before its bytes are looked at.
     *
     * @param bytes those of a binary message within the limit; else empty
     * @param fault why it is no frame; null for one
     */
    private record Received(byte[] bytes, Conversation.@Nullable Fault fault) {
        static final Received TEXT = new Received(new byte[0], Conversation.Fault.TEXT);
        static final Received OVERSIZED = new Received(new byte[0], Conversation.Fault.OVERSIZED);
        static final Received BROKEN = new Received(new byte[0], Conversation.Fault.BROKEN);
    }

    /** Ends the stream to a client that does not read, or has to make room. It is no defect and has no stack trace. */
    static final class SlowClientException extends Exception {
        private static final long serialVersionUID = 1;

        SlowClientException() {
            super("the connection is cut", null, false, false);
        }
    }

    /** The outgoing side of a WebSocket: a bounded queue of Akka's. Thread-safe. */
    private record StreamOutbound(BoundedSourceQueue<byte[]> queue) implements Outbound {
        private static final Logger LOG = LoggerFactory.getLogger(StreamOutbound.class);

        @Override
        public boolean offer(byte[] message) {
            return queue.offer(message) != QueueOfferResult.dropped();
        }

        @Override
        public void complete() {
            unlessGone(queue::complete);
        }

        @Override
        public void fail() {
            unlessGone(() -> queue.fail(new SlowClientException()));
        }

        private static void unlessGone(Runnable end) {
            try {
                end.run();
            } catch (IllegalStateException completedAlready) {
                LOG.trace("a WebSocket was gone before its queue was completed");
            }
        }
    }
}
