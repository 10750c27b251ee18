package org.aspas.emulab.console.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lets in who was given the console's address, and no page of anybody else: whoever sends a request must name this server in
 * {@code Host} (so that a name that was made to point here is of no use) and know the token. Thread-safe.
 *
 * @param token random
 */
record RequestGuard(int port, String token) {
    private static final Set<String> FOREIGN = Set.of("cross-site", "same-site");

    /** Why a request is refused; empty when it is let in. */
    Optional<ConsoleProblem> refuses(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        if (exchange.getProtocol().equals("HTTP/1.0") && headers.containsKey("Transfer-Encoding")) {
            exchange.getResponseHeaders().set("Connection", "close");
            return Optional.of(new ConsoleProblem(400, "bad-request", "HTTP/1.0 has no chunked bodies."));
        }
        List<String> hosts = headers.getOrDefault("Host", List.of());
        if (hosts.size() != 1 || !isHere(hosts.get(0))) {
            return Optional.of(new ConsoleProblem(421, "misdirected", "Host does not name this server."));
        }
        List<String> origins = headers.getOrDefault("Origin", List.of());
        boolean foreign =
                headers.getOrDefault("Sec-Fetch-Site", List.of()).stream().anyMatch(FOREIGN::contains);
        if (foreign || origins.stream().anyMatch(origin -> !isOurs(origin))) {
            return Optional.of(new ConsoleProblem(403, "origin-not-allowed", "Only the console's own page may ask."));
        }
        return path(exchange).isPresent()
                ? Optional.empty()
                : Optional.of(
                        new ConsoleProblem(404, "not-found", "There is nothing here: the address has a token in it."));
    }

    private boolean isHere(String host) {
        return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
    }

    private boolean isOurs(String origin) {
        return origin.startsWith("http://") && isHere(origin.substring("http://".length()));
    }

    /** What stands behind the token; empty when the token is wrong. */
    Optional<String> path(HttpExchange exchange) {
        String path = exchange.getRequestURI().getRawPath();
        int end = path.indexOf('/', 1);
        String given = end < 0 ? "" : path.substring(1, end);
        boolean same =
                MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
        return same ? Optional.of(path.substring(end + 1)) : Optional.empty();
    }
}
