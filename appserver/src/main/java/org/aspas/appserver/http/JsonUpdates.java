package org.aspas.appserver.http;

import akka.http.javadsl.model.HttpResponse;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.wire.Certificate;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Updates of counters and sets in JSON. Thread-safe. */
final class JsonUpdates {
    private static final String BY = "by";
    private static final String ELEMENT = "element";

    private final JsonClient jsonClient;
    private final HttpLimits limits;
    private final JsonBody bodies;
    private final @Nullable HttpSpans spans;

    JsonUpdates(JsonClient jsonClient, HttpLimits limits, Materializer materializer, @Nullable HttpSpans spans) {
        this.jsonClient = jsonClient;
        this.limits = limits;
        this.spans = spans;
        this.bodies = new JsonBody(limits, materializer);
    }

    /** {@code increment} or {@code decrement}: the body may have {@code by}. */
    CompletionStage<HttpResponse> counter(RoutedRequest request, String operation) {
        return update(request, DataTypes.PN_COUNTER, Optional.of(BY), body -> {
            JsonNode by = body.get(BY);
            return Operation.of(operation, by == null ? Value.of(1) : argument(by));
        });
    }

    /** {@code add} or {@code remove}: the body has {@code element}. */
    CompletionStage<HttpResponse> set(RoutedRequest request, String operation) {
        return update(request, DataTypes.AW_SET, Optional.of(ELEMENT), body -> {
            JsonNode element = body.get(ELEMENT);
            if (element == null) {
                throw new ProblemException(Problem.badRequest("The body has no \"element\"."));
            }
            return Operation.of(operation, argument(element));
        });
    }

    /** {@code clear}: the body has nothing. */
    CompletionStage<HttpResponse> clear(RoutedRequest request) {
        return update(request, DataTypes.AW_SET, Optional.empty(), body -> Operation.of("clear"));
    }

    /** Makes an operation of a body, or throws a {@link ProblemException}. */
    private interface Reader {
        Operation read(JsonNode body);
    }

    private CompletionStage<HttpResponse> update(
            RoutedRequest request, DataType type, Optional<String> member, Reader reader) {
        String key = request.key();
        boolean confirm = request.flag(QueryParameter.CONFIRM);
        AnswerFields fields = AnswerFields.of(request);
        return bodies.read(request.http(), member).thenCompose(body -> {
            Operation operation = reader.read(body);
            type.check(operation).ifPresent(reason -> {
                throw new ProblemException(Problem.unprocessable(reason + "."));
            });
            return update(request, key, type, operation, confirm, fields);
        });
    }

    private static Value argument(JsonNode argument) {
        return JsonForms.element(argument)
                .orElseThrow(() ->
                        new ProblemException(Problem.unprocessable("The argument is not " + JsonForms.ELEMENTS + ".")));
    }

    private CompletionStage<HttpResponse> update(
            RoutedRequest request,
            String key,
            DataType type,
            Operation operation,
            boolean confirm,
            AnswerFields fields) {
        boolean textual = request.integersAsText();
        CompletableFuture<Certificate> confirmation = confirm ? new CompletableFuture<>() : null;
        return jsonClient
                .update(key, type.name(), operation, confirmation)
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(reply -> {
                    if (spans != null) {
                        spans.updated(request.http(), type.name(), reply);
                    }
                    ObjectNode document = JsonForms.answered(reply, key, type.name(), textual);
                    return confirmation == null
                            ? CompletableFuture.completedFuture(JsonApi.json(200, fields.only(document)))
                            : confirmed(document, confirmation, fields);
                });
    }

    private CompletionStage<HttpResponse> confirmed(
            ObjectNode document, CompletableFuture<Certificate> confirmation, AnswerFields fields) {
        return confirmation
                .completeOnTimeout(null, limits.confirmTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply((@Nullable Certificate certificate) -> {
                    document.put("confirmed", certificate != null);
                    if (certificate == null) {
                        return JsonApi.json(202, fields.only(document.put("detail", notConfirmed())));
                    }
                    document.putObject("confirmation")
                            .put("certificate", certificate.number().value())
                            .put("hash", certificate.hash().toString());
                    return JsonApi.json(200, fields.only(document));
                });
    }

    private String notConfirmed() {
        return "The update is answered, and no certificate covered it within "
                + limits.confirmTimeout().toMillis() + " ms. The next one that does confirms it; the same update again"
                + " would count twice.";
    }
}
