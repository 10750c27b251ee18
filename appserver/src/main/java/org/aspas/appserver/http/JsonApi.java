package org.aspas.appserver.http;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaType;
import akka.http.javadsl.model.RequestEntity;
import akka.http.javadsl.model.StatusCodes;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.core.state.ObjectPage;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.appserver.port.ObjectPort;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.ValueProofFile;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
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

    /**
     * Reads the JSON object in a request's body, and only what two readers cannot take for two different things (RFC 8259,
     * I-JSON of RFC 7493): declared as {@code application/json}, in UTF-8 without a byte order mark, uncompressed, no name
     * twice, no name but the expected one, nothing after the object. That no other media type is taken also keeps out what a
     * form or a script of any web page may send without asking. Thread-safe.
     */
    static final class JsonBody {
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

    /** Updates of counters and sets in JSON. Thread-safe. */
    private static final class JsonUpdates {
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
                    .orElseThrow(() -> new ProblemException(
                            Problem.unprocessable("The argument is not " + JsonForms.ELEMENTS + ".")));
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
                    + limits.confirmTimeout().toMillis()
                    + " ms. The next one that does confirms it; the same update again"
                    + " would count twice.";
        }
    }

    /** Reads of counters and sets in JSON, one or several at once, with their proof if it is wanted. Thread-safe. */
    private static final class JsonReads {
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
                        type,
                        certified,
                        proof,
                        request.integersAsText(),
                        PartQuery.of(request),
                        AnswerFields.of(request));
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

    /** Lists the objects of a certificate page by page, and tells how many elements a set has, without reading it. Thread-safe. */
    private static final class ObjectListing {
        /** A page ends after this many objects. */
        private static final int ENOUGH = 100;

        /** The most pages of the state tree that one request looks at. */
        private static final int MOST_LOOKS = 16;

        private final ObjectPort port;
        private final HttpLimits limits;

        ObjectListing(ObjectPort port, HttpLimits limits) {
            this.port = port;
            this.limits = limits;
        }

        /** The objects of a certificate whose keys begin with a prefix. */
        CompletionStage<HttpResponse> list(RoutedRequest request) {
            Hash from = PartQuery.path(request.value(QueryParameter.PAGE).orElse("first"));
            CertificateNumber number = PartQuery.certificate(request);
            boolean textual = request.integersAsText();
            String prefix = request.value(QueryParameter.PREFIX).orElse("");
            return look(number, from, prefix, new ArrayList<>(), 1)
                    .toCompletableFuture()
                    .orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    .thenApply(page -> JsonApi.json(200, document(page, textual)));
        }

        private CompletionStage<ObjectPage> look(
                CertificateNumber number, Hash from, String prefix, List<ObjectPage.Listed> found, int looks) {
            return port.page(number, from).thenCompose(answer -> {
                ObjectPage page = answer.orElseThrow(() -> new ProblemException(Problem.forgotten(number)));
                page.objects().stream()
                        .filter(one -> one.key().startsWith(prefix))
                        .forEach(found::add);
                Hash next = page.next();
                return next == null || found.size() >= ENOUGH || looks >= MOST_LOOKS
                        ? CompletableFuture.completedFuture(new ObjectPage(page.certificate(), found, next))
                        : look(page.certificate(), next, prefix, found, looks + 1);
            });
        }

        private static ObjectNode document(ObjectPage page, boolean textual) {
            ObjectNode document = JsonNodeFactory.instance.objectNode();
            ArrayNode objects = document.putArray("objects");
            for (ObjectPage.Listed one : page.objects()) {
                ObjectNode object = objects.addObject().put("key", one.key()).put("type", one.type());
                object.setAll(JsonForms.of(one.certified(), textual));
            }
            document.put("level", "certified")
                    .put("certificate", page.certificate().value());
            Hash next = page.next();
            if (next != null) {
                document.put("next", next.toString());
            }
            return document;
        }

        CompletionStage<HttpResponse> localSize(RoutedRequest request) {
            if (request.flag(QueryParameter.PROOF)) {
                throw new ProblemException(Problem.unproved());
            }
            AnswerFields fields = AnswerFields.of(request);
            CompletableFuture<Optional<List<ObjectView>>> shown = new CompletableFuture<>();
            port.pictures(List.of(request.key()), shown::complete).whenComplete((done, failure) -> {
                if (failure != null) {
                    shown.completeExceptionally(failure);
                }
            });
            return shown.orTimeout(limits.answerTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    .thenApply(pictures -> JsonApi.json(
                            200,
                            fields.only(size(pictures.orElseThrow(() -> new ProblemException(Problem.cannotVouch()))
                                    .get(0)))));
        }

        private static ObjectNode size(ObjectView view) {
            String type = DataTypes.AW_SET.name();
            if (view.type() != null && !view.type().equals(type)) {
                throw new ProblemException(Problem.wrongType(view.type(), type));
            }
            Long elements = view.local().elements();
            ObjectNode document = JsonNodeFactory.instance
                    .objectNode()
                    .put("key", view.key())
                    .put("type", type)
                    .put("level", "local")
                    .put("size", elements == null ? 0 : elements);
            document.set("version", JsonForms.of(view.version()));
            return document.put("certificate", view.certificate().value());
        }
    }

    /**
     * The fields that a query wants in the answer about an object: {@code fields=value,certificate}.
     *
     * @param wanted their names; empty for all
     */
    record AnswerFields(Set<String> wanted) {
        private static final List<String> READ = List.of(
                "key", "type", "level", "value", "elements", "proof", "version", "roots", "certificate", "server");

        private static final List<String> SIZE =
                READ.stream().map(name -> name.equals("value") ? "size" : name).toList();

        private static final List<String> UPDATE = List.of(
                "key",
                "type",
                "value",
                "number",
                "dot",
                "leaf",
                "version",
                "roots",
                "certificate",
                "server",
                "confirmed",
                "confirmation",
                "detail");

        AnswerFields {
            wanted = Set.copyOf(wanted);
        }

        /** The fields that some answer of an endpoint has; none where a query cannot choose. */
        static List<String> known(Endpoint endpoint) {
            return switch (endpoint) {
                case COUNTERS, COUNTER, SETS, SET -> READ;
                case SET_SIZE -> SIZE;
                case INCREMENT, DECREMENT, ADD, REMOVE, CLEAR -> UPDATE;
                default -> List.of();
            };
        }

        /**
         * What a query wants; all where it does not say. To be asked for before anything is changed.
         *
         * @throws ProblemException when the list is empty, or has a name twice or one that no answer of the endpoint has
         */
        static AnswerFields of(RoutedRequest request) {
            Optional<String> list = request.value(QueryParameter.FIELDS);
            Set<String> wanted = new HashSet<>();
            if (list.isPresent()) {
                List<String> known = known(request.endpoint());
                for (String name : list.get().split(",", -1)) {
                    if (!known.contains(name)) {
                        throw new ProblemException(Problem.badRequest(
                                "The answer has no field '" + name + "': it has " + String.join(", ", known) + "."));
                    }
                    if (!wanted.add(name)) {
                        throw new ProblemException(Problem.repeatedParameter("field '" + name + "'"));
                    }
                }
            }
            return new AnswerFields(wanted);
        }

        /** Takes out of an answer what is not wanted. */
        ObjectNode only(ObjectNode answer) {
            return wanted.isEmpty() ? answer : answer.retain(wanted);
        }
    }

    /**
     * The part of an object that a URI asks for: {@code element=JSON}, or {@code page=first}, or {@code page=PATH} with {@code
     * certificate=NUMBER}, both as the page before told.
     */
    private static final class PartQuery {
        private PartQuery() {}

        /** The part; null for the whole object. */
        static @Nullable ReadPart of(RoutedRequest request) {
            Optional<String> element = request.value(QueryParameter.ELEMENT);
            Optional<String> page = request.value(QueryParameter.PAGE);
            if (element.isPresent() && page.isPresent()) {
                throw new ProblemException(
                        Problem.badRequest("A read is of an element or of a page: the query has both."));
            }
            if (page.isEmpty() && request.has(QueryParameter.CERTIFICATE)) {
                throw new ProblemException(Problem.badRequest(
                        "The parameter certificate goes with a page: it says of which certificate the page is."));
            }
            if (element.isPresent()) {
                return ReadPart.element(element(element.get()));
            }
            return page.isEmpty() ? null : ReadPart.page(path(page.get()), certificate(request));
        }

        private static Value element(String text) {
            return JsonForms.element(StrictJson.read(text, "The parameter element"))
                    .orElseThrow(() -> new ProblemException(
                            Problem.badRequest("The parameter element is not " + JsonForms.ELEMENTS + ".")));
        }

        static Hash path(String text) {
            if (text.equals("first")) {
                return Hash.ZERO;
            }
            if (!text.matches("[0-9a-f]{64}")) {
                throw new ProblemException(
                        Problem.badRequest("The parameter page is 'first', or what the page before names as next."));
            }
            return Hash.of(HexFormat.of().parseHex(text));
        }

        static CertificateNumber certificate(RoutedRequest request) {
            String text = request.value(QueryParameter.CERTIFICATE).orElse("0");
            if (!text.matches("[0-9]{1,18}")) {
                throw new ProblemException(
                        Problem.badRequest("The parameter certificate is a number of at most 18 digits."));
            }
            return new CertificateNumber(Long.parseLong(text));
        }
    }
}
