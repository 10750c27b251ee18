package org.aspas.emulab.rivals.obft;

import akka.NotUsed;
import akka.actor.ActorSystem;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.ws.BinaryMessage;
import akka.http.javadsl.model.ws.Message;
import akka.stream.BoundedSourceQueue;
import akka.stream.Materializer;
import akka.stream.QueueOfferResult;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Where clients of one replica connect: WebSockets on Akka HTTP, as at an appserver, one binary message per frame. Thread-safe. */
final class ObftDoor {
    private static final int QUEUED_FRAMES = 4_096;
    private static final int CLIENT_FRAME_BYTES = 1 << 20;
    private static final Duration FRAME_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** Takes what clients send. */
    interface Inbox {
        /** A frame came; done when the next one of this connection may come. */
        CompletionStage<?> received(long connection, byte[] frame);
    }

    private final Inbox inbox;
    private final Materializer materializer;
    private final CompletionStage<ServerBinding> binding;
    private final AtomicLong connections = new AtomicLong();
    private final Map<Long, BoundedSourceQueue<byte[]>> open = new ConcurrentHashMap<>();

    /** Binds a free port of the loopback interface. */
    ObftDoor(ActorSystem system, Inbox inbox) {
        this.inbox = inbox;
        this.materializer = Materializer.matFromSystem(system);
        this.binding = Http.get(system)
                .newServerAt(InetAddress.getLoopbackAddress().getHostAddress(), 0)
                .bindSync(this::handle);
    }

    /** Where it listens; fails when it cannot. */
    CompletionStage<InetSocketAddress> address() {
        return binding.thenApply(ServerBinding::localAddress);
    }

    private HttpResponse handle(HttpRequest request) {
        return request.getAttribute(AttributeKeys.webSocketUpgrade)
                .map(upgrade -> upgrade.handleMessagesWith(flow()))
                .orElseGet(() -> HttpResponse.create().withStatus(StatusCodes.UPGRADE_REQUIRED));
    }

    private Flow<Message, Message, NotUsed> flow() {
        long connection = connections.incrementAndGet();
        Sink<Message, NotUsed> inbound = Flow.<Message>create()
                .filterNot(Message::isText)
                .mapAsync(1, message -> message.asBinaryMessage().toStrict(FRAME_TIMEOUT.toMillis(), materializer))
                .takeWhile(message -> message.getStrictData().size() <= CLIENT_FRAME_BYTES)
                .mapAsync(
                        1,
                        message -> inbox.received(
                                connection, message.getStrictData().toArray()))
                .to(Sink.onComplete(end -> open.remove(connection)));
        Source<Message, NotUsed> outbound = Source.<byte[]>queue(QUEUED_FRAMES)
                .map(frame -> (Message) BinaryMessage.create(ByteString.fromArrayUnsafe(frame)))
                .mapMaterializedValue(queue -> {
                    open.put(connection, queue);
                    return NotUsed.getInstance();
                });
        return Flow.fromSinkAndSourceCoupled(inbound, outbound);
    }

    /** Sends a frame to a client, if its connection is still there; one that reads too slowly is cut. */
    void send(long connection, byte[] frame) {
        BoundedSourceQueue<byte[]> queue = open.get(connection);
        if (queue != null && queue.offer(frame) == QueueOfferResult.dropped()) {
            queue.fail(new IllegalStateException("the client reads too slowly"));
        }
    }

    /** Closes the port and every connection; done when that is so. */
    CompletionStage<?> close() {
        return binding.thenCompose(bound -> bound.terminate(PATIENCE));
    }
}
