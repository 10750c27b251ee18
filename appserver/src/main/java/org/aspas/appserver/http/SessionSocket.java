package org.aspas.appserver.http;

import akka.NotUsed;
import akka.http.javadsl.model.ws.BinaryMessage;
import akka.http.javadsl.model.ws.Message;
import akka.stream.Materializer;
import akka.stream.StreamLimitReachedException;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.Verifier;

/** Makes WebSocket connections of clients into conversations with the core. Thread-safe. */
final class SessionSocket {
    private final ClientPort port;
    private final Verifier verifier;
    private final HttpLimits limits;
    private final HttpCounters counters;
    private final Materializer materializer;
    private final OutgoingBytes outgoing;

    SessionSocket(
            ClientPort port, Verifier verifier, HttpLimits limits, HttpCounters counters, Materializer materializer) {
        this.port = port;
        this.verifier = verifier;
        this.limits = limits;
        this.counters = counters;
        this.materializer = materializer;
        this.outgoing = new OutgoingBytes(limits.clientQueueBytes(), limits.allQueueBytes());
    }

    /** The two directions of one new connection; to be run once. */
    Flow<Message, Message, NotUsed> flow() {
        Conversation conversation = new Conversation(port, verifier, counters, limits.maxAnswerBytes(), outgoing);
        Sink<Message, NotUsed> inbound = Flow.<Message>create()
                .mapAsync(1, this::receive)
                .mapAsync(limits.framesInFlight(), conversation::onReceived)
                .to(Sink.onComplete(end -> conversation.onEnd()));
        Source<Message, NotUsed> outbound = Source.<byte[]>queue(limits.clientQueue())
                .map(message -> {
                    conversation.sent(message);
                    return (Message) BinaryMessage.create(ByteString.fromArrayUnsafe(message));
                })
                .mapMaterializedValue(queue -> {
                    conversation.begin(queue);
                    return NotUsed.getInstance();
                });
        return Flow.fromSinkAndSourceCoupled(inbound, outbound);
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
