package org.aspas.appserver.http;

import akka.NotUsed;
import akka.event.Logging;
import akka.http.javadsl.model.RemoteAddress;
import akka.http.javadsl.model.ws.BinaryMessage;
import akka.http.javadsl.model.ws.Message;
import akka.stream.Attributes;
import akka.stream.Materializer;
import akka.stream.StreamLimitReachedException;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.conversation.Conversation;
import org.aspas.appserver.conversation.ConversationLimits;
import org.aspas.appserver.conversation.Conversations;

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
}
