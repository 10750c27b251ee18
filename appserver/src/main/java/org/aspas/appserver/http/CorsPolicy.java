package org.aspas.appserver.http;

import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What pages in a browser may do at this server, by the CORS protocol (Fetch standard, "HTTP extensions"). A browser names
 * the page's origin in whatever could change something, in every WebSocket handshake, and in what it asks of another origin
 * for the page to read; other programs name none. Without this check any page that a user of the server's network opens
 * could write here. No server serves pages, so its own address is no origin that may: that also keeps pages from writing
 * whose name was made to point here (DNS rebinding). Thread-safe.
 */
final class CorsPolicy {
    private static final String ORIGIN = "origin";
    private static final String REQUESTED_METHOD = "access-control-request-method";

    /** How long a browser may remember the answer to a preflight request, in seconds. */
    private static final String MAX_AGE = "600";

    private static final int SWITCHING_PROTOCOLS = 101;

    private final WebOrigins allowed;

    CorsPolicy(WebOrigins allowed) {
        this.allowed = allowed;
    }

    /**
     * Judges the origin that a request names, if it names one.
     *
     * @return the answer to a preflight request; empty when the request is to be served
     * @throws ProblemException when the origin is not on the list, or not the only one
     */
    Optional<HttpResponse> check(HttpRequest request) {
        List<String> named = values(request, ORIGIN);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        if (named.size() > 1 || !allowed.contains(named.get(0))) {
            throw new ProblemException(Problem.foreignOrigin());
        }
        boolean preflight = request.method().equals(HttpMethods.OPTIONS)
                && !values(request, REQUESTED_METHOD).isEmpty();
        return preflight ? Optional.of(permission()) : Optional.empty();
    }

    private static HttpResponse permission() {
        return HttpResponse.create()
                .withStatus(StatusCodes.NO_CONTENT)
                .addHeader(RawHeader.create("Access-Control-Allow-Methods", "GET, POST"))
                .addHeader(RawHeader.create("Access-Control-Allow-Headers", "Content-Type"))
                .addHeader(RawHeader.create("Access-Control-Max-Age", MAX_AGE));
    }

    /** The response with the headers that let a page of an allowed origin read it. Whoever has no list is told nothing. */
    HttpResponse marked(HttpRequest request, HttpResponse response) {
        if (allowed.isEmpty() || response.status().intValue() == SWITCHING_PROTOCOLS) {
            return response;
        }
        HttpResponse varying = response.addHeader(RawHeader.create("Vary", "Origin"));
        List<String> named = values(request, ORIGIN);
        return named.size() == 1 && allowed.contains(named.get(0))
                ? varying.addHeader(RawHeader.create("Access-Control-Allow-Origin", named.get(0)))
                        .addHeader(RawHeader.create("Access-Control-Expose-Headers", "Retry-After"))
                : varying;
    }

    private static List<String> values(HttpRequest request, String lowerCaseName) {
        List<String> values = new ArrayList<>();
        for (HttpHeader header : request.getHeaders()) {
            if (header.is(lowerCaseName)) {
                values.add(header.value());
            }
        }
        return values;
    }
}
