package org.aspas.emulab.testbed.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a server over HTTP that may be Byzantine. The JDK's timeout of a request ends with the head of the answer, so a server that sends
 * a head and no body would be waited for without end, and one whose body has no end would fill the memory. Here both are bounded.
 */
public final class ServerHttp {
    /** The longest answer that is read, in bytes: evidence and certificates of the largest deployments are shorter. */
    static final long MOST_BYTES = 64 << 20;

    private static final int DONE = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private ServerHttp() {}

    /**
     * Asks.
     *
     * @param within from now to the last byte of the answer
     * @return the answer, whatever its status; fails with an {@link IOException}, which is an {@link HttpTimeoutException} when the answer was
     *     not whole in time
     */
    public static CompletableFuture<HttpResponse<byte[]>> get(HttpClient http, URI uri, Duration within) {
        CompletableFuture<HttpResponse<byte[]>> asked =
                http.sendAsync(HttpRequest.newBuilder(uri).build(), head -> new Bounded());
        return asked.copy()
                .orTimeout(within.toMillis(), TimeUnit.MILLISECONDS)
                .handle((answer, failure) -> {
                    asked.cancel(true);
                    return failure instanceof TimeoutException
                            ? CompletableFuture.<HttpResponse<byte[]>>failedFuture(
                                    new HttpTimeoutException("no whole answer in " + within.toMillis() + " ms"))
                            : asked;
                })
                .thenCompose(whole -> whole);
    }

    /** The body of an answer with status 200; empty without one. Never fails. */
    public static CompletableFuture<Optional<byte[]>> body(HttpClient http, URI uri, Duration within) {
        return get(http, uri, within)
                .thenApply(
                        answer -> Optional.of(answer).filter(ServerHttp::good).map(HttpResponse::body))
                .exceptionally(unreachable -> Optional.empty());
    }

    /** The JSON of an answer with status 200; a missing node without one. Never fails. */
    public static CompletableFuture<JsonNode> json(HttpClient http, URI uri, Duration within) {
        return get(http, uri, within)
                .thenApply(ServerHttp::json)
                .exceptionally(unreachable -> MissingNode.getInstance());
    }

    /** The JSON of an answer with status 200; a missing node of any other one. */
    public static JsonNode json(HttpResponse<byte[]> answer) {
        try {
            return good(answer) ? JSON.readTree(text(answer)) : MissingNode.getInstance();
        } catch (JsonProcessingException noJson) {
            return MissingNode.getInstance();
        }
    }

    private static boolean good(HttpResponse<?> answer) {
        return answer.statusCode() == DONE;
    }

    /** The text of an answer. */
    public static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    /** All bytes of a body, up to {@link #MOST_BYTES}. */
    private static final class Bounded implements BodySubscriber<byte[]> {
        private final BodySubscriber<byte[]> all = BodySubscribers.ofByteArray();
        private long bytes;

        @SuppressWarnings("NullAway.Init") // comes first
        private Flow.Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return all.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            all.onSubscribe(given);
        }

        @Override
        public void onNext(List<ByteBuffer> part) {
            bytes += part.stream().mapToLong(ByteBuffer::remaining).sum();
            if (bytes > MOST_BYTES) {
                subscription.cancel();
                all.onError(new IOException("an answer of more than " + MOST_BYTES + " bytes"));
            } else {
                all.onNext(part);
            }
        }

        @Override
        public void onError(Throwable failure) {
            all.onError(failure);
        }

        @Override
        public void onComplete() {
            all.onComplete();
        }
    }
}
