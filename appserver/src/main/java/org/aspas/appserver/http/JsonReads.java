package org.aspas.appserver.http;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.ValueProofFile;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.jspecify.annotations.Nullable;

/** Reads of counters and sets in JSON, one or several at once, with their proof if it is wanted. Thread-safe. */
final class JsonReads {
    /** The most keys that a request may name. */
    static final int MOST_KEYS = 100;

    /** The last path there can be: the page that begins there has one element at most, and its proof names the size of all. */
    private static final Hash LAST = Hash.ofWords(-1, -1, -1, -1);

    private final JsonClient jsonClient;
    private final HttpLimits limits;

    JsonReads(JsonClient jsonClient, HttpLimits limits) {
        this.jsonClient = jsonClient;
        this.limits = limits;
    }

    /** What is wanted of each object of a request. */
    private record Wanted(
            DataType type,
            boolean certified,
            boolean proof,
            boolean textual,
            @Nullable ReadPart part,
            AnswerFields fields) {
        static Wanted of(RoutedRequest request, DataType type) {
            boolean certified = request.certified();
            boolean proof = request.flag(QueryParameter.PROOF);
            if (proof && !certified) {
                throw new ProblemException(Problem.unproved());
            }
            return new Wanted(
                    type, certified, proof, request.integersAsText(), PartQuery.of(request), AnswerFields.of(request));
        }
    }

    CompletionStage<HttpResponse> counter(RoutedRequest request) {
        return one(request.key(), Wanted.of(request, DataTypes.PN_COUNTER));
    }

    CompletionStage<HttpResponse> set(RoutedRequest request) {
        return one(request.key(), Wanted.of(request, DataTypes.AW_SET));
    }

    private CompletionStage<HttpResponse> one(String key, Wanted wanted) {
        return read(key, wanted)
                .thenApply(document -> JsonApi.json(200, wanted.fields().only(document)));
    }

    CompletionStage<HttpResponse> certifiedSize(RoutedRequest request) {
        Wanted asked = Wanted.of(request, DataTypes.AW_SET);
        ReadPart nothing = ReadPart.page(LAST, CertificateNumber.NONE);
        return read(request.key(), new Wanted(asked.type(), true, asked.proof(), false, nothing, asked.fields()))
                .thenApply(document -> {
                    document.remove("value");
                    document.set("size", document.at("/elements/size"));
                    return JsonApi.json(200, asked.fields().only(document));
                });
    }

    /** Several counters or sets, each as if it were read alone; what is refused has its problem in the place of its value. */
    CompletionStage<HttpResponse> several(RoutedRequest request, DataType type) {
        Wanted wanted = Wanted.of(request, type);
        List<CompletableFuture<ObjectNode>> reads = request.keys(MOST_KEYS).stream()
                .map(key -> read(key, wanted)
                        .thenApply(wanted.fields()::only)
                        .exceptionally(failure -> JsonForms.refused(key, type.name(), failure))
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    ObjectNode document = JsonNodeFactory.instance.objectNode();
                    ArrayNode objects = document.putArray("objects");
                    reads.forEach(read -> objects.add(read.join()));
                    return JsonApi.json(200, document);
                });
    }

    private CompletionStage<ObjectNode> read(String key, Wanted wanted) {
        ReadPart part = wanted.part();
        return jsonClient
                .read(key, wanted.type().name(), wanted.certified(), part)
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(reply -> {
                    ObjectNode document = JsonForms.answered(
                                    reply, key, wanted.type().name(), wanted.textual())
                            .put("level", wanted.certified() ? "certified" : "local");
                    Reply.Answered answered = (Reply.Answered) reply;
                    JsonForms.elements(answered.answer(), part)
                            .ifPresent(elements -> document.set("elements", elements));
                    return wanted.proof()
                            ? proof(answered, part).thenApply(proof -> document.put("proof", proof))
                            : CompletableFuture.completedFuture(document);
                });
    }

    /** What proves the value: the answer as it came, with the certificate that its proof is against. */
    private CompletionStage<String> proof(Reply.Answered answered, @Nullable ReadPart part) {
        Answer answer = answered.answer();
        Read read = Objects.requireNonNull(answered.read(), "the answer to a read");
        CertificateNumber number = part != null && part.certificate().isAfter(CertificateNumber.NONE)
                ? part.certificate()
                : answer.response().message().certificate();
        return jsonClient
                .certificate(number)
                .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(reply -> {
                    Certificate certificate = reply.certificate();
                    if (certificate == null) {
                        throw new ProblemException(Problem.forgotten(number));
                    }
                    Answer whole = new Answer(answer.response(), certificate, answer.proof());
                    return Base64.getEncoder().encodeToString(ValueProofFile.encode(read, whole));
                });
    }
}
