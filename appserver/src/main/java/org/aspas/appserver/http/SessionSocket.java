package org.aspas.appserver.http;

import akka.NotUsed;
import akka.http.javadsl.model.RemoteAddress;
import akka.http.javadsl.model.ws.BinaryMessage;
import akka.http.javadsl.model.ws.Message;
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
import org.aspas.appserver.core.port.ClientAdmission;
import org.aspas.appserver.port.ClientPort;

/** Makes WebSocket connections of clients into conversations with the core. Thread-safe. */
final class SessionSocket {
    private static final CompletionStage<?> NO_PAUSE = CompletableFuture.completedFuture("no pause");

    private final ClientPort port;
    private final ClientAdmission admission;
    private final HttpLimits limits;
    private final HttpCounters counters;
    private final Materializer materializer;
    private final OutgoingBytes outgoing;
    private final IncomingBytes incoming;
    private final HttpConnections connections;

    /** A message that is being handled, so that the next one can be read meanwhile. */
    private record Handled(CompletionStage<?> done) {}

    SessionSocket(
            ClientPort port,
            ClientAdmission admission,
            HttpLimits limits,
            HttpCounters counters,
            HttpConnections connections,
            Materializer materializer) {
        this.port = port;
        this.admission = admission;
        this.limits = limits;
        this.counters = counters;
        this.connections = connections;
        this.materializer = materializer;
        this.outgoing = new OutgoingBytes(limits.clientQueueBytes(), limits.allQueueBytes());
        this.incoming = new IncomingBytes(limits.allFrameBytes(), materializer.executionContext());
    }

    /** The two directions of one new connection, which comes from an address that may be unknown; to be run once. */
    Flow<Message, Message, NotUsed> flow(Optional<RemoteAddress> from) {
        Conversation conversation = new Conversation(port, admission, counters, limits, outgoing);
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
                    conversation.sent(message);
                    return (Message) BinaryMessage.create(ByteString.fromArrayUnsafe(message));
                })
                .mapMaterializedValue(queue -> {
                    conversation.begin(queue, end -> connections.enterWebSocket(from, end));
                    return NotUsed.getInstance();
                });
        return Flow.fromSinkAndSourceCoupled(inbound, outbound);
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
        int bytes = received.bytes().length;
        return incoming.take(bytes).thenApply(room -> {
            boolean begun = false;
            try {
                CompletionStage<?> done = conversation.onReceived(received);
                begun = true;
                return new Handled(done.whenComplete((end, failure) -> incoming.free(bytes)));
            } finally {
                if (!begun) {
                    incoming.free(bytes);
                }
            }
        });
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
        return data.size() > limits.maxFrameBytes()
                ? Received.OVERSIZED
                : new Received(Received.Shape.BINARY, data.toArray());
    }
}
