package org.aspas.appserver.http;

import akka.event.LoggingAdapter;
import akka.http.ParsingErrorHandler;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.Server;
import akka.http.scaladsl.model.ErrorInfo;
import akka.http.scaladsl.model.StatusCode;
import akka.http.scaladsl.settings.ServerSettings;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Answers with a problem document what Akka HTTP cannot read as a request at all, so that no handler ever sees it: a broken
 * request line, URI or header, an unknown method, a declared body above Akka's own bound. Akka finds this class by its name
 * (setting {@code akka.http.server.parsing.error-handler}) and tells it no server; whose counters count is known by the object that stands for the {@code Server} header in that server's settings. Thread-safe.
 */
public final class ParsingProblems extends ParsingErrorHandler {
    private static final Map<Server, HttpCounters> SERVERS = Collections.synchronizedMap(new IdentityHashMap<>());

    /** For Akka's reflection, which makes one per connection. */
    public ParsingProblems() {
        super();
    }

    /** From now on, what cannot be read by the server with this header object counts here. */
    static void register(Server header, HttpCounters counters) {
        SERVERS.put(header, counters);
    }

    /** The server has ended. */
    static void forget(Server header) {
        SERVERS.remove(header);
    }

    @Override
    public HttpResponse handle(StatusCode status, ErrorInfo error, LoggingAdapter log, ServerSettings settings) {
        settings.getServerHeader().map(SERVERS::get).ifPresent(counters -> {
            counters.requests.increment();
            counters.problems.increment();
            counters.unreadableRequests.increment();
        });
        return problem(status.intValue(), error.summary()).response();
    }

    private static Problem problem(int status, String summary) {
        String detail = summary.isEmpty() ? "The HTTP message cannot be read." : summary;
        return switch (status) {
            case 413 -> Problem.tooLarge(detail);
            case 414 -> new Problem(414, "uri-too-long", "The URI is longer than the limit", detail);
            case 431 -> new Problem(431, "headers-too-large", "The headers are larger than the limits allow", detail);
            case 501 -> new Problem(501, "not-implemented", "The method is not known", detail);
            case 505 -> new Problem(505, "http-version", "The HTTP version is not served", detail);
            default ->
                status >= 500
                        ? new Problem(status, "not-served", "The request cannot be served", detail)
                        : new Problem(status, "bad-request", "The request cannot be understood", detail);
        };
    }
}
