package org.aspas.appserver.http;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.ReadPart;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** The JSON forms of counters, sets and certificates under {@code /v1}. Thread-safe. */
final class JsonApi {
    private static final char REPLACEMENT = '\uFFFD';

    private final JsonClient jsonClient;
    private final HttpLimits limits;
    private final JsonBody bodies;

    JsonApi(JsonClient jsonClient, HttpLimits limits, Materializer materializer) {
        this.jsonClient = jsonClient;
        this.limits = limits;
        this.bodies = new JsonBody(limits, materializer);
    }

    /** Counters: {@code GET key}, {@code POST key/increment}, {@code POST key/decrement}. */
    CompletionStage<HttpResponse> counter(HttpRequest request, List<String> rest) {
        return object(request, rest, DataTypes.PN_COUNTER, List.of("increment", "decrement"));
    }

    /** Sets: {@code GET key}, {@code POST key/add}, {@code POST key/remove}. */
    CompletionStage<HttpResponse> set(HttpRequest request, List<String> rest) {
        return object(request, rest, DataTypes.AW_SET, List.of("add", "remove"));
    }

    private CompletionStage<HttpResponse> object(
            HttpRequest request, List<String> rest, DataType type, List<String> operations) {
        if (rest.isEmpty() || rest.get(0).isEmpty() || rest.size() > 2) {
            throw new ProblemException(Problem.notFound("The path has the form key or key/operation."));
        }
        String key = rest.get(0);
        // Akka puts the replacement character where bytes are not UTF-8, and two keys must not become one.
        if (!Value.Text.isWellFormed(key) || key.indexOf(REPLACEMENT) >= 0) {
            throw new ProblemException(Problem.badRequest("The key is not UTF-8, or holds U+FFFD."));
        }
        if (rest.size() == 1) {
            requireMethod(request, "GET");
            return read(request, key, type);
        }
        if (!operations.contains(rest.get(1))) {
            throw new ProblemException(
                    Problem.notFound(type.name() + " has the operations " + String.join(", ", operations) + "."));
        }
        requireMethod(request, "POST");
        boolean confirm = flag(request, "confirm");
        return bodies.read(request, argument(type))
                .thenCompose(body -> update(key, type, operation(type, rest.get(1), body), confirm));
    }

    static void requireMethod(HttpRequest request, String method) {
        boolean fits = request.method().value().equals(method)
                || (method.equals("GET") && request.method().equals(HttpMethods.HEAD));
        if (!fits) {
            throw new ProblemException(Problem.notAllowed(method));
        }
    }

    /** The name that an operation's argument has in the body. */
    private static String argument(DataType type) {
        return type == DataTypes.PN_COUNTER ? "by" : "element";
    }

    private static Operation operation(DataType type, String name, JsonNode body) {
        JsonNode argument = body.get(argument(type));
        if (argument == null && type != DataTypes.PN_COUNTER) {
            throw new ProblemException(Problem.badRequest("The body has no \"element\"."));
        }
        Value value = argument == null
                ? Value.of(1)
                : JsonForms.element(argument)
                        .orElseThrow(() -> new ProblemException(Problem.unprocessable(
                                "The argument is not an integer of 64 bits, a text or {\"base64\": ...}.")));
        Operation operation = Operation.of(name, value);
        type.check(operation).ifPresent(reason -> {
            throw new ProblemException(Problem.unprocessable(reason + "."));
        });
        return operation;
    }

    private CompletionStage<HttpResponse> update(String key, DataType type, Operation operation, boolean confirm) {
        CompletableFuture<Certificate> confirmation = confirm ? new CompletableFuture<>() : null;
        return jsonClient
                .update(key, type.name(), operation, confirmation)
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(reply -> {
                    ObjectNode document = answered(reply, key, type);
                    return confirmation == null
                            ? CompletableFuture.completedFuture(json(200, document))
                            : confirmed(document, confirmation);
                });
    }

    private CompletionStage<HttpResponse> confirmed(ObjectNode document, CompletableFuture<Certificate> confirmation) {
        return confirmation
                .completeOnTimeout(null, limits.confirmTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply((@Nullable Certificate certificate) -> {
                    document.put("confirmed", certificate != null);
                    if (certificate == null) {
                        return json(202, document.put("detail", notConfirmed()));
                    }
                    document.putObject("confirmation")
                            .put("certificate", certificate.number().value())
                            .put("hash", certificate.hash().toString());
                    return json(200, document);
                });
    }

    private String notConfirmed() {
        return "The update is answered, and no certificate covered it within "
                + limits.confirmTimeout().toMillis() + " ms. The next one that does confirms it; the same update again"
                + " would count twice.";
    }

    private CompletionStage<HttpResponse> read(HttpRequest request, String key, DataType type) {
        String level = request.getUri().query().get("level").orElse("local");
        if (!level.equals("local") && !level.equals("certified")) {
            throw new ProblemException(Problem.badRequest("level is local or certified."));
        }
        ReadPart part = PartQuery.of(request.getUri().query());
        return jsonClient
                .read(key, type.name(), level.equals("certified"), part)
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(reply -> {
                    ObjectNode document = answered(reply, key, type).put("level", level);
                    JsonForms.elements(((Reply.Answered) reply).answer(), part)
                            .ifPresent(elements -> document.set("elements", elements));
                    return json(200, document);
                });
    }

    private static ObjectNode answered(Reply reply, String key, DataType type) {
        if (reply instanceof Reply.Refused refused) {
            throw new ProblemException(Problem.of(refused.refusal()));
        }
        ObjectNode document =
                JsonNodeFactory.instance.objectNode().put("key", key).put("type", type.name());
        document.setAll(
                JsonForms.of(((Reply.Answered) reply).answer().response().message()));
        return document;
    }

    /** {@code GET newest} or {@code GET number}. */
    CompletionStage<HttpResponse> certificate(HttpRequest request, List<String> rest) {
        requireMethod(request, "GET");
        if (rest.size() != 1) {
            throw new ProblemException(Problem.notFound("The path ends in a number or in newest."));
        }
        return jsonClient
                .certificate(number(rest.get(0)))
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

    private static boolean flag(HttpRequest request, String name) {
        String text = request.getUri().query().get(name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new ProblemException(Problem.badRequest(name + " is true or false."));
        }
        return text.equals("true");
    }

    /** A JSON document as a response. */
    static HttpResponse json(int status, JsonNode document) {
        return HttpResponse.create()
                .withStatus(StatusCodes.get(status))
                .withEntity(HttpEntities.create(
                        ContentTypes.APPLICATION_JSON, document.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
