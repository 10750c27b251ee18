package org.aspas.appserver.http;

import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.MediaType;
import akka.http.javadsl.model.RequestEntity;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * Reads the JSON object in a request's body, and only what two readers cannot take for two different things (RFC 8259,
 * I-JSON of RFC 7493): declared as {@code application/json}, in UTF-8 without a byte order mark, uncompressed, no name
 * twice, no name but the expected one, nothing after the object. That no other media type is taken also keeps out what a
 * form or a script of any web page may send without asking. Thread-safe.
 */
final class JsonBody {
    private final HttpLimits limits;
    private final Materializer materializer;

    JsonBody(HttpLimits limits, Materializer materializer) {
        this.limits = limits;
        this.materializer = materializer;
    }

    /**
     * Reads a body.
     *
     * @param member the only name that the object may have; empty for none
     * @return the object, which has no name when the body is empty; fails with a {@link ProblemException} or with the
     *     stream's failure
     * @throws ProblemException when the headers alone say that the body cannot be taken
     */
    CompletionStage<JsonNode> read(HttpRequest request, Optional<String> member) {
        requireJson(request);
        RequestEntity entity = request.entity();
        if (entity.getContentLengthOption().orElse(0) > limits.maxBodyBytes()) {
            throw new ProblemException(Problem.tooLargeBody(limits.maxBodyBytes()));
        }
        return entity.withSizeLimit(limits.maxBodyBytes())
                .toStrict(limits.frameTimeout().toMillis(), materializer)
                .exceptionallyCompose(JsonBody::late)
                .thenApply(strict -> parse(strict.getData().toArray(), member));
    }

    private static void requireJson(HttpRequest request) {
        for (HttpHeader header : request.getHeaders()) {
            if (header.is("content-encoding") && !header.value().equalsIgnoreCase("identity")) {
                throw new ProblemException(Problem.compressed());
            }
        }
        MediaType type = request.entity().getContentType().mediaType();
        if (!type.mainType().equals("application") || !type.subType().equals("json")) {
            throw new ProblemException(Problem.notJson());
        }
    }

    /** A body that is too slow is the client's delay, not the server's. */
    private static CompletionStage<HttpEntity.Strict> late(Throwable failure) {
        boolean slow = failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException;
        return CompletableFuture.failedFuture(slow ? new ProblemException(Problem.slowBody()) : failure);
    }

    private static JsonNode parse(byte[] bytes, Optional<String> member) {
        if (bytes.length == 0) {
            return StrictJson.nothing();
        }
        JsonNode body = StrictJson.read(text(bytes), "The body");
        if (!body.isObject()) {
            throw new ProblemException(Problem.badRequest("The body is not a JSON object."));
        }
        body.properties().forEach(field -> {
            if (!Optional.of(field.getKey()).equals(member)) {
                throw new ProblemException(Problem.unknownField(field.getKey(), member));
            }
        });
        return body;
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            throw new ProblemException(Problem.notUnicode("The body"));
        }
    }
}
