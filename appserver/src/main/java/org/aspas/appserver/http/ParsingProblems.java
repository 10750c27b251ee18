package org.aspas.appserver.http;

import akka.event.LoggingAdapter;
import akka.http.ParsingErrorHandler;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.Server;
import akka.http.javadsl.settings.ParserSettings;
import akka.http.scaladsl.model.ErrorInfo;
import akka.http.scaladsl.model.StatusCode;
import akka.http.scaladsl.settings.ServerSettings;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers with a problem document what Akka HTTP cannot read as a request at all, so that no handler ever sees it: a broken
 * request line, URI or header, an unknown method, a declared body above Akka's own bound. Akka finds this class by its name
 * (setting {@code akka.http.server.parsing.error-handler}) and tells it no server; whose counters count is known by the object that stands for the {@code Server} header in that server's settings. Thread-safe.
 */
public final class ParsingProblems extends ParsingErrorHandler {
    private static final Map<Server, HttpCounters> SERVERS = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Where Akka says at which character of the request target it stopped. */
    private static final Pattern COLUMN = Pattern.compile("\\(line 1, column (\\d+)\\)");

    private static final Pattern HEADER = Pattern.compile("^Illegal HTTP header '([A-Za-z0-9-]+)'");

    /** The summary of what {@link GuardedHttp} refuses. */
    static final String OLD_AND_CHUNKED = "A request of HTTP/1.0 has chunks";

    /** By a part of Akka's summary, what is wrong in our words. */
    private static final Map<String, String> WORDS = Map.ofEntries(
            Map.entry("Illegal HTTP message start", "The request ends before its headers do."),
            Map.entry("missing required `Host`", "A request of HTTP/1.1 has a Host header, and this one has none."),
            Map.entry("one Host header", "The request has more than one Host header."),
            Map.entry("'Host' header value", "The Host header and the request target name two servers."),
            Map.entry("one Content-Length header", "The request has two different Content-Length headers."),
            Map.entry("one Content-Type header", "The request has two different Content-Type headers."),
            Map.entry(
                    "must not contain a Content-Length", "A chunked request has no Content-Length, and this one has."),
            Map.entry(
                    OLD_AND_CHUNKED,
                    "HTTP/1.0 has no chunked bodies, and this request has one: it needs a Content-Length, or HTTP/1.1."),
            Map.entry("Transfer-Encoding", "The only Transfer-Encoding taken is chunked, once."),
            Map.entry("`Content-Length` header value", "The Content-Length is not a number of bytes."),
            Map.entry("in header name", "A header's name has a character that may not be there."),
            Map.entry("in header value", "A header's value has a character that may not be there."),
            Map.entry("must not have an entity", "A request with this method has no body, and this one has."),
            Map.entry("CONNECT", "CONNECT is not served: this server is no proxy."));

    /** For Akka's reflection, which makes one per connection. */
    public ParsingProblems() {
        super();
    }

    /** From now on, what cannot be read by the server with this header object counts here. */
    static void register(Server header, HttpCounters counters) {
        SERVERS.put(header, counters);
    }

    /** To be called when the server has ended. */
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
        return problem(status.intValue(), error.summary(), error.detail(), settings.getParserSettings())
                .response();
    }

    /** Akka's words are for whoever programs with Akka. Each kind has ours instead, and the place where Akka tells it. */
    private static Problem problem(int status, String summary, String detail, ParserSettings limits) {
        return switch (status) {
            case 413 -> Problem.tooLarge("The body is larger than the limit.");
            case 414 ->
                new Problem(
                        414,
                        "uri-too-long",
                        "The URI is longer than the limit",
                        "The request target has more than " + limits.getMaxUriLength() + " characters.");
            case 431 ->
                new Problem(
                        431,
                        "headers-too-large",
                        "The headers are larger than the limits allow",
                        "A header's name has at most " + limits.getMaxHeaderNameLength() + " bytes, its value at most "
                                + limits.getMaxHeaderValueLength() + ".");
            case 501 ->
                new Problem(
                        501,
                        "not-implemented",
                        "The method is not known",
                        "The methods are GET, HEAD, POST and OPTIONS, in upper case.");
            case 505 ->
                new Problem(
                        505,
                        "http-version",
                        "The HTTP version is not served",
                        "The request line must end in HTTP/1.1 or HTTP/1.0.");
            default -> Problem.badRequest(words(summary, detail, limits));
        };
    }

    private static String words(String summary, String detail, ParserSettings limits) {
        if (summary.startsWith("Illegal request-target")) {
            Matcher place = COLUMN.matcher(summary);
            return "The request target cannot be read"
                    + (place.find() ? " at character " + place.group(1) : "")
                    + ": a % has two hexadecimal digits after it, and what may not stand in a URI is percent-encoded in UTF-8.";
        }
        Matcher header = HEADER.matcher(summary);
        if (header.find()) {
            return "The header " + header.group(1) + " cannot be read.";
        }
        if (summary.contains("configured limit of " + limits.getMaxHeaderCount() + " headers")) {
            return "The request has more than " + limits.getMaxHeaderCount() + " headers.";
        }
        if (summary.startsWith("Unsupported HTTP method")) {
            return detail.contains("0x16")
                    ? "This looks like TLS, and the port takes plain HTTP."
                    : "The request does not begin with a method and a space.";
        }
        return WORDS.entrySet().stream()
                .filter(known -> summary.contains(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("The HTTP message cannot be read.");
    }
}
