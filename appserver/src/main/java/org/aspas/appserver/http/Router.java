package org.aspas.appserver.http;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpCharsets;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaTypes;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import akka.http.javadsl.model.headers.RawRequestURI;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.net.Conversations;
import org.aspas.appserver.port.ClientPort;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.bftcluster.telemetry.NodeMetrics;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.wire.Codec;
import org.jspecify.annotations.Nullable;

/** Finds what a request is for; every failure becomes a problem document. Thread-safe. */
final class Router {
    private static final ContentType METRICS = ContentTypes.parse(NodeMetrics.MEDIA_TYPE);

    private final ServerIdentity identity;
    private final ClientPort port;
    private final Readiness readiness;
    private final Conversations conversations;
    private final LinkStatus links;
    private final AppServerMetrics metrics;
    private final SessionSocket sessions;
    private final JsonApi api;
    private final WatchHub watches;
    private final JsonAccess jsonAccess;
    private final CorsPolicy cors;
    private final HttpCounters counters;
    private final Materializer materializer;
    private final @Nullable HttpSpans spans;

    Router(
            ServerIdentity identity,
            ClientPort port,
            Conversations conversations,
            LinkStatus links,
            SessionSocket sessions,
            JsonApi api,
            WatchHub watches,
            JsonAccess jsonAccess,
            CorsPolicy cors,
            HttpCounters counters,
            Materializer materializer) {
        this.identity = identity;
        this.port = port;
        this.conversations = conversations;
        this.readiness = new Readiness(links, identity.store());
        this.links = links;
        this.metrics = new AppServerMetrics(identity, readiness, links);
        this.sessions = sessions;
        this.api = api;
        this.watches = watches;
        this.jsonAccess = jsonAccess;
        this.cors = cors;
        this.counters = counters;
        this.materializer = materializer;
        this.spans = HttpSpans.of(identity.spans());
    }

    CompletionStage<HttpResponse> handle(HttpRequest request) {
        counters.requests.increment();
        return spans == null ? answer(request) : spans.follow(request, this::answer);
    }

    private CompletionStage<HttpResponse> answer(HttpRequest request) {
        // What routing throws becomes a failure of the stage, as what happens later is one.
        return CompletableFuture.completedFuture(request)
                .thenCompose(asked -> {
                    refuseDoubtfulHeaders(asked);
                    return cors.check(asked).map(Router::done).orElseGet(() -> route(asked));
                })
                .exceptionally(failure -> {
                    counters.problems.increment();
                    request.discardEntityBytes(materializer);
                    return problem(request, failure).response();
                })
                .thenApply(response -> cors.marked(request, response));
    }

    /**
     * Refuses a request whose headers two readers could take for different ones, and ends its connection: nobody knows where the
     * next request begins. Akka takes a byte of another encoding than UTF-8 at the end of a line, such as an e acute of Latin-1, for
     * the first of a character, so that the end of the line, and with it the header behind it, becomes part of the value. A length
     * that it cannot read it takes for an unknown header.
     */
    private static void refuseDoubtfulHeaders(HttpRequest request) {
        for (HttpHeader header : request.getHeaders()) {
            String value = header.value();
            if (value.indexOf('\r') >= 0
                    || value.indexOf('\n') >= 0
                    || header.is("transfer-encoding")
                    || header.is("content-length")) {
                throw new ProblemException(Problem.unreadableHeader(header.name()));
            }
        }
    }

    private CompletionStage<HttpResponse> route(HttpRequest http) {
        RequestTarget target = RequestTarget.of(rawTarget(http));
        if (http.method().equals(HttpMethods.OPTIONS)) {
            return done(options(target));
        }
        RoutedRequest request =
                RoutedRequest.of(http, target, identity.descriptor().limits().keyBytes());
        if (spans != null) {
            spans.routed(request);
        }
        if (request.endpoint().ofObjects() && !jsonAccess.admits(request.remote())) {
            throw new ProblemException(Problem.jsonApiOff(jsonAccess));
        }
        return switch (request.endpoint()) {
            case LIVEZ -> done(text(200, "ok\n"));
            case READYZ -> port.status().thenApply(status -> readiness(request, status));
            case METRICS -> port.status().thenApply(this::metrics);
            case VERSION -> done(JsonApi.json(200, version()));
            case STATUS -> port.status().thenApply(this::status);
            case BLACKLIST -> port.status().thenApply(status -> JsonApi.json(200, JsonForms.blacklist(status)));
            case EVIDENCE -> port.status().thenApply(status -> evidence(status, request.variable()));
            case DEPLOYMENT -> done(JsonApi.json(200, JsonForms.of(identity.descriptor())));
            case SESSION -> done(session(http));
            case OPENAPI -> done(description());
            case WATCH -> watches.open(request);
            default -> api.answer(request);
        };
    }

    private static String rawTarget(HttpRequest http) {
        return http.getHeader(RawRequestURI.class)
                .map(RawRequestURI::uri)
                .orElseThrow(() -> new IllegalStateException("Akka gave no raw request target"));
    }

    /** What a resource takes, or the server as a whole; a page's preflight request has been answered before. */
    private static HttpResponse options(RequestTarget target) {
        List<Endpoint> there = target.isServer() ? List.of(Endpoint.values()) : Endpoint.at(target.path());
        if (there.isEmpty()) {
            throw new ProblemException(RoutedRequest.nothingAt(target.path()));
        }
        return HttpResponse.create()
                .withStatus(StatusCodes.NO_CONTENT)
                .addHeader(RawHeader.create("Allow", Endpoint.allowed(there)));
    }

    private HttpResponse session(HttpRequest request) {
        return request.getAttribute(AttributeKeys.webSocketUpgrade)
                .map(upgrade ->
                        upgrade.handleMessagesWith(sessions.flow(request.getAttribute(AttributeKeys.remoteAddress))))
                .orElseThrow(() -> new ProblemException(new Problem(
                        426,
                        "upgrade-required",
                        "The resource is a WebSocket",
                        "Connect with a WebSocket client (RFC 6455).")));
    }

    /** The description of this API, by OpenAPI 3.1. */
    private static HttpResponse description() {
        return HttpResponse.create()
                .withEntity(
                        MediaTypes.applicationWithFixedCharset("yaml", HttpCharsets.UTF_8)
                                .toContentType(),
                        ApiDescription.bytes());
    }

    private HttpResponse metrics(CoreStatus status) {
        String figures = metrics.read(status, counters.read(conversations.counts()));
        return HttpResponse.create()
                .withStatus(StatusCodes.OK)
                .withEntity(METRICS, figures.getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse status(CoreStatus status) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("server", identity.index());
        document.put("deployment", identity.descriptor().id().toString());
        document.put("signatures", Ed25519Choice.ofThisProcess().description());
        document.put("tail_cut_bytes", identity.store().tailCutBytes());
        identity.store().trouble().ifPresent(why -> document.put("disk", why));
        identity.store().baseTrouble().ifPresent(why -> document.put("base", why));
        document.put("joined", readiness.joined(status));
        readiness.degraded(status).ifPresent(why -> document.put("degraded", why));
        document.setAll(JsonForms.of(status));
        document.set("http", JsonForms.of(counters.read(conversations.counts())));
        ObjectNode operations = JsonForms.of(identity.signatures().read());
        document.set("public_key_operations", operations);
        document.set("publicKeyOperations", operations); // The name of version 0.1, for one more version.
        ObjectNode counts = document.putObject("links");
        links.counts().forEach((name, count) -> counts.put(JsonForms.snakeCase(name), count));
        ArrayNode linked = document.putArray("linked");
        links.linked().forEach(node -> linked.add(node.toString()));
        return JsonApi.json(200, document);
    }

    /** The bytes of evidence that convicted somebody, as {@code aspas evidence verify} takes them. */
    private static HttpResponse evidence(CoreStatus status, String hash) {
        byte[] proof = status.blacklist().stream()
                .filter(one -> hash.equals(one.evidence().toString()))
                .flatMap(one -> one.proof().stream())
                .findFirst()
                .map(Codec::encode)
                .orElseThrow(() -> new ProblemException(
                        Problem.notFound("No evidence with this hash has convicted anybody, or it is not here.")));
        return HttpResponse.create()
                .withStatus(StatusCodes.OK)
                .withEntity(ContentTypes.APPLICATION_OCTET_STREAM, proof);
    }

    private HttpResponse readiness(RoutedRequest request, CoreStatus status) {
        boolean verbose = request.has(QueryParameter.VERBOSE);
        return text(readiness.ready(status) ? 200 : 503, verbose ? readiness.verbose(status) : readiness.brief(status));
    }

    private ObjectNode version() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", "aspas-appserver")
                .put("version", identity.version())
                .put("java", Runtime.version().toString());
    }

    private static HttpResponse text(int status, String text) {
        return HttpResponse.create()
                .withStatus(StatusCodes.get(status))
                .withEntity(ContentTypes.TEXT_PLAIN_UTF8, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static CompletionStage<HttpResponse> done(HttpResponse response) {
        return CompletableFuture.completedFuture(response);
    }

    private static Problem problem(HttpRequest request, Throwable failure) {
        return FailureProblems.of(
                request.method().value() + " " + rawTarget(request),
                request.method().equals(HttpMethods.POST),
                failure);
    }

    /** The file {@code openapi.yaml}: the HTTP API for programs that read such descriptions. */
    static final class ApiDescription {
        private static final String FILE = "openapi.yaml";

        private ApiDescription() {}

        static byte[] bytes() {
            try (InputStream file = ApiDescription.class.getResourceAsStream(FILE)) {
                if (file == null) {
                    throw new IllegalStateException("the program is not whole: " + FILE + " is missing");
                }
                return file.readAllBytes();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }
}
