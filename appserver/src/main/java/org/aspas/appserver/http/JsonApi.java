package org.aspas.appserver.http;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.port.ObjectPort;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.crdt.type.DataTypes;
import org.jspecify.annotations.Nullable;

/** The JSON forms of counters, sets and certificates under {@code /v1}. Thread-safe. */
final class JsonApi {
    private final JsonClient jsonClient;
    private final HttpLimits limits;
    private final JsonReads reads;
    private final JsonUpdates updates;
    private final ObjectListing listing;

    JsonApi(
            JsonClient jsonClient,
            ObjectPort objects,
            HttpLimits limits,
            Materializer materializer,
            @Nullable HttpSpans spans) {
        this.jsonClient = jsonClient;
        this.limits = limits;
        this.reads = new JsonReads(jsonClient, limits);
        this.updates = new JsonUpdates(jsonClient, limits, materializer, spans);
        this.listing = new ObjectListing(objects, limits);
    }

    CompletionStage<HttpResponse> answer(RoutedRequest request) {
        return switch (request.endpoint()) {
            case COUNTERS -> reads.several(request, DataTypes.PN_COUNTER);
            case COUNTER -> reads.counter(request);
            case INCREMENT -> updates.counter(request, "increment");
            case DECREMENT -> updates.counter(request, "decrement");
            case SETS -> reads.several(request, DataTypes.AW_SET);
            case SET -> reads.set(request);
            case SET_SIZE -> request.certified() ? reads.certifiedSize(request) : listing.localSize(request);
            case ADD -> updates.set(request, "add");
            case REMOVE -> updates.set(request, "remove");
            case CLEAR -> updates.clear(request);
            case OBJECTS -> listing.list(request);
            case NUMBERED_CERTIFICATE -> certificate(request);
            default -> throw new IllegalStateException("no JSON at " + request.endpoint());
        };
    }

    private CompletionStage<HttpResponse> certificate(RoutedRequest request) {
        return jsonClient
                .certificate(number(request.variable()))
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(JsonApi::certificate);
    }

    private static CertificateNumber number(String text) {
        if (text.equals("newest")) {
            return CertificateNumber.NONE;
        }
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw new ProblemException(Problem.badRequest("A certificate's number is at least 1, or newest."));
        }
        return new CertificateNumber(Long.parseLong(text));
    }

    private static HttpResponse certificate(CertificateReply reply) {
        Certificate certificate = reply.certificate();
        if (certificate == null) {
            throw new ProblemException(Problem.notFound("The server does not hold this certificate."));
        }
        return json(200, JsonForms.of(certificate));
    }

    static HttpResponse json(int status, JsonNode document) {
        return HttpResponse.create()
                .withStatus(StatusCodes.get(status))
                .withEntity(HttpEntities.create(
                        ContentTypes.APPLICATION_JSON, document.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
