package org.aspas.appserver.http;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.model.EntityStreamException;
import akka.http.scaladsl.model.EntityStreamSizeException;
import akka.http.scaladsl.model.IllegalUriException;
import akka.stream.Materializer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.conversation.Conversations;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.port.ClientPort;
import org.aspas.appserver.port.LinkStatus;
import org.aspas.bftcluster.metrics.NodeMetrics;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Ed25519Choice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what a request is for; every failure becomes a problem document. Thread-safe. */
final class Router {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);
    private static final ContentType METRICS = ContentTypes.parse(NodeMetrics.MEDIA_TYPE);

    private final ServerIdentity identity;
    private final ClientPort port;
    private final Readiness readiness;
    private final Conversations conversations;
    private final LinkStatus links;
    private final AppServerMetrics metrics;
    private final SessionSocket sessions;
    private final JsonApi api;
    private final CorsPolicy cors;
    private final HttpCounters counters;
    private final Materializer materializer;

    Router(
            ServerIdentity identity,
            ClientPort port,
            Conversations conversations,
            LinkStatus links,
            SessionSocket sessions,
            JsonApi api,
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
        this.cors = cors;
        this.counters = counters;
        this.materializer = materializer;
    }

    CompletionStage<HttpResponse> handle(HttpRequest request) {
        counters.requests.increment();
        // What routing throws becomes a failure of the stage, as what happens later is one.
        return CompletableFuture.completedFuture(request)
                .thenCompose(asked -> cors.check(asked).map(Router::done).orElseGet(() -> route(asked)))
                .exceptionally(failure -> {
                    counters.problems.increment();
                    request.discardEntityBytes(materializer);
                    return problem(request, failure).response();
                })
                .thenApply(response -> cors.marked(request, response));
    }

    private CompletionStage<HttpResponse> route(HttpRequest request) {
        List<String> path = new ArrayList<>();
        request.getUri().pathSegments().forEach(path::add);
        String first = path.isEmpty() ? "" : path.get(0);
        if (path.size() == 1) {
            JsonApi.requireMethod(request, "GET");
            switch (first) {
                case "livez":
                    return done(text(200, "ok\n"));
                case "readyz":
                    return port.status().thenApply(status -> readiness(request, status));
                case "metrics":
                    return port.status().thenApply(this::metrics);
                case "version":
                    return done(JsonApi.json(200, version()));
                default:
                    break;
            }
        }
        if (!first.equals("v1") || path.size() < 2) {
            throw new ProblemException(Problem.notFound("The API is under /v1."));
        }
        return versioned(request, path.get(1), path.subList(2, path.size()));
    }

    private CompletionStage<HttpResponse> versioned(HttpRequest request, String resource, List<String> rest) {
        switch (resource) {
            case "counters":
                return api.counter(request, rest);
            case "sets":
                return api.set(request, rest);
            case "certificates":
                return api.certificate(request, rest);
            case "evidence":
                JsonApi.requireMethod(request, "GET");
                return port.status().thenApply(status -> evidence(status, rest));
            default:
                break;
        }
        JsonApi.requireMethod(request, "GET");
        if (!rest.isEmpty()) {
            throw new ProblemException(Problem.notFound("There is no such resource under /v1."));
        }
        return switch (resource) {
            case "session" -> done(session(request));
            case "status" -> port.status().thenApply(this::status);
            case "blacklist" -> port.status().thenApply(status -> JsonApi.json(200, JsonForms.blacklist(status)));
            case "deployment" -> done(JsonApi.json(200, JsonForms.of(identity.descriptor())));
            default -> throw new ProblemException(Problem.notFound("There is no such resource under /v1."));
        };
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

    private HttpResponse metrics(CoreStatus status) {
        String figures = metrics.read(status, counters.read(conversations.counts()));
        return HttpResponse.create()
                .withStatus(StatusCodes.OK)
                .withEntity(METRICS, figures.getBytes(java.nio.charset.StandardCharsets.UTF_8));
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
        document.set("publicKeyOperations", JsonForms.of(identity.signatures().read()));
        ObjectNode counts = document.putObject("links");
        links.counts().forEach(counts::put);
        ArrayNode linked = document.putArray("linked");
        links.linked().forEach(node -> linked.add(node.toString()));
        return JsonApi.json(200, document);
    }

    /** The bytes of evidence that convicted somebody, as {@code aspas evidence verify} takes them. */
    private static HttpResponse evidence(CoreStatus status, List<String> rest) {
        byte[] proof = status.blacklist().stream()
                .filter(one -> rest.equals(List.of(one.evidence().toString())))
                .flatMap(one -> one.proof().stream())
                .findFirst()
                .map(Codec::encode)
                .orElseThrow(() -> new ProblemException(
                        Problem.notFound("No evidence with this hash has convicted anybody, or it is not here.")));
        return HttpResponse.create()
                .withStatus(StatusCodes.OK)
                .withEntity(ContentTypes.APPLICATION_OCTET_STREAM, proof);
    }

    private HttpResponse readiness(HttpRequest request, CoreStatus status) {
        boolean verbose = request.getUri().query().get("verbose").isPresent();
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
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof ProblemException known) {
            return known.problem();
        }
        if (cause instanceof IllegalUriException) {
            return Problem.badRequest("The URI cannot be read.");
        }
        if (cause instanceof EntityStreamSizeException) {
            return Problem.tooLarge("The body is larger than the limit.");
        }
        if (cause instanceof EntityStreamException) {
            return Problem.badRequest("The body does not arrive whole.");
        }
        if (cause instanceof TimeoutException || cause instanceof CancellationException) {
            return Problem.timeout(request.method().equals(HttpMethods.POST));
        }
        LOG.error("{} {} fails", request.method().value(), request.getUri().path(), cause);
        return Problem.internal();
    }
}
