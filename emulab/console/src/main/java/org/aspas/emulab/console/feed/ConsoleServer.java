package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one console on 127.0.0.1, at a random port and behind a random token. Thread-safe. */
public final class ConsoleServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);
    private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    private static final int TOKEN_LETTERS = 32;
    private static final int MOST_BODY_BYTES = 4096;
    private static final Pattern CERTIFICATE = Pattern.compile("api/certificates/([1-9][0-9]{0,17})");
    private static final Pattern PROOF = Pattern.compile("api/proofs/([0-9a-f]{64})(/verdict)?");
    private static final Pattern ACTION = Pattern.compile("api/actions/([a-z]{1,20})");
    private static final ConsoleProblem NOTHING =
            new ConsoleProblem(404, "not-found", "There is nothing at this address.");
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final HttpServer server;
    private final ExecutorService threads;
    private final RequestGuard guard;
    private final ConsoleState state;
    private final ConsoleBackend backend;

    private ConsoleServer(HttpServer server, ConsoleState state, ConsoleBackend backend) {
        this.server = server;
        this.state = state;
        this.backend = backend;
        this.guard = new RequestGuard(server.getAddress().getPort(), token());
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread made = new Thread(task, "console-http");
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * Starts a server.
     *
     * @throws IOException when no port is free
     */
    public static ConsoleServer start(ConsoleState state, ConsoleBackend backend) throws IOException {
        InetAddress loopback = InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1});
        HttpServer http = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        ConsoleServer made = new ConsoleServer(http, state, backend);
        http.setExecutor(made.threads);
        http.createContext("/", made::handle);
        http.start();
        return made;
    }

    private static String token() {
        SecureRandom random = new SecureRandom();
        StringBuilder token = new StringBuilder();
        for (int letter = 0; letter < TOKEN_LETTERS; letter++) {
            token.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return token.toString();
    }

    /** Returns the page's address, which is secret because anyone who knows it can perform actions. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + guard.port() + "/" + guard.token() + "/");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ConsoleAnswers.secure(exchange);
            Optional<ConsoleProblem> refused = guard.refuses(exchange);
            if (refused.isPresent()) {
                ConsoleAnswers.problem(exchange, refused.get());
            } else {
                route(exchange, guard.path(exchange).orElse(""));
            }
        } catch (IOException gone) {
            LOG.debug("a page is gone: {}", gone.getMessage());
        } catch (RuntimeException bug) {
            LOG.error("a request of a console's page cannot be answered", bug);
            throw bug;
        }
    }

    private void route(HttpExchange exchange, String path) throws IOException {
        var action = ACTION.matcher(path);
        String method = exchange.getRequestMethod();
        if (action.matches()) {
            if (!method.equals("POST")) {
                ConsoleAnswers.problem(exchange, new ConsoleProblem(405, "method-not-allowed", "Actions use POST."));
            } else {
                act(exchange, action.group(1));
            }
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            ConsoleAnswers.problem(
                    exchange, new ConsoleProblem(405, "method-not-allowed", "Only GET and HEAD are allowed."));
        } else if (path.startsWith("api/")) {
            read(exchange, path);
        } else {
            Optional<PageFiles.PageFile> file = PageFiles.find(path);
            if (file.isPresent()) {
                ConsoleAnswers.bytes(
                        exchange, 200, file.get().type(), file.get().bytes());
            } else {
                ConsoleAnswers.problem(exchange, NOTHING);
            }
        }
    }

    private void read(HttpExchange exchange, String path) throws IOException {
        var certificate = CERTIFICATE.matcher(path);
        var proof = PROOF.matcher(path);
        if (path.equals("api/events")) {
            if (exchange.getRequestMethod().equals("HEAD")) {
                ConsoleAnswers.bytes(exchange, 200, EventSender.TYPE, new byte[0]);
            } else {
                events(exchange);
            }
        } else if (path.equals("api/state")) {
            ConsoleAnswers.json(exchange, state.hello());
        } else if (path.equals("api/deployment.json")) {
            ConsoleAnswers.bytes(
                    exchange, 200, "application/json", backend.descriptor().text());
        } else if (path.equals("api/deployment.json.sig")) {
            text(exchange, HexFormat.of().formatHex(backend.descriptor().signature()));
        } else if (path.equals("api/operator.pub")) {
            text(exchange, backend.operator().toString());
        } else if (certificate.matches()) {
            download(
                    exchange,
                    backend.certificate(Long.parseLong(certificate.group(1))),
                    "certificate-" + certificate.group(1) + ".cbor");
        } else if (proof.matches()) {
            String hash = proof.group(1);
            boolean verdict = proof.group(2) != null;
            download(
                    exchange,
                    verdict ? backend.verdict(hash) : backend.proof(hash),
                    (verdict ? "verdict-" : "proof-") + hash.substring(0, 16) + ".evidence");
        } else {
            ConsoleAnswers.problem(exchange, NOTHING);
        }
    }

    private static void text(HttpExchange exchange, String text) throws IOException {
        ConsoleAnswers.bytes(exchange, 200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void download(HttpExchange exchange, Optional<byte[]> bytes, String name) throws IOException {
        if (bytes.isEmpty()) {
            ConsoleAnswers.problem(exchange, NOTHING);
            return;
        }
        exchange.getResponseHeaders().set("Content-Disposition", "attachment; filename=\"" + name + "\"");
        ConsoleAnswers.bytes(exchange, 200, "application/cbor", bytes.get());
    }

    private void events(HttpExchange exchange) throws IOException {
        Optional<EventStream> stream = state.open();
        if (stream.isPresent()) {
            EventSender.send(exchange, stream.get());
        } else {
            ConsoleAnswers.problem(
                    exchange,
                    new ConsoleProblem(
                            503, "busy", "The console ended, or " + ConsoleState.MOST_STREAMS + " pages are open."));
        }
    }

    private void act(HttpExchange exchange, String name) throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type == null
                || !type.toLowerCase(Locale.ROOT).replaceFirst("\\s*;.*", "").equals("application/json")) {
            ConsoleAnswers.problem(
                    exchange, new ConsoleProblem(415, "not-json", "Content-Type is not application/json."));
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES + 1);
        if (body.length > MOST_BODY_BYTES) {
            ConsoleAnswers.problem(exchange, new ConsoleProblem(413, "too-large", "The body has more than 4 KiB."));
            return;
        }
        try {
            JsonNode given = JSON.readTree(body);
            if (given instanceof ObjectNode fields) {
                String done = backend.act(name, fields);
                ConsoleAnswers.json(exchange, ConsoleState.object().put("text", done));
            } else {
                ConsoleAnswers.problem(
                        exchange, new ConsoleProblem(400, "bad-request", "The body is not a JSON object."));
            }
        } catch (JsonProcessingException broken) {
            ConsoleAnswers.problem(exchange, new ConsoleProblem(400, "bad-request", "The body is not valid JSON."));
        } catch (ActionRefused refused) {
            String kind = refused.why().name().toLowerCase(Locale.ROOT).replace('_', '-');
            ConsoleAnswers.problem(
                    exchange, new ConsoleProblem(refused.why().status(), kind, String.valueOf(refused.getMessage())));
        }
    }

    /** Ends all streams and stops serving. */
    @Override
    public void close() {
        state.end("The console has ended.");
        server.stop(1);
        threads.shutdownNow();
    }

    /** Writes answers with the headers that all answers of the console share. */
    private static final class ConsoleAnswers {
        private static final ObjectMapper MAPPER = new ObjectMapper();
        private static final String POLICY =
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                        + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

        private ConsoleAnswers() {}

        /** Sets the headers that isolate the page from others. */
        static void secure(HttpExchange exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Cache-Control", "no-store");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Content-Security-Policy", POLICY);
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
        }

        static void bytes(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", type);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
            if (!head && body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }

        static void json(HttpExchange exchange, JsonNode body) throws IOException {
            bytes(exchange, 200, "application/json", MAPPER.writeValueAsBytes(body));
        }

        static void problem(HttpExchange exchange, ConsoleProblem problem) throws IOException {
            ObjectNode body = MAPPER.createObjectNode()
                    .put("type", "urn:aspas:problem:" + problem.name())
                    .put("status", problem.status())
                    .put("detail", problem.detail());
            bytes(exchange, problem.status(), "application/problem+json", MAPPER.writeValueAsBytes(body));
        }
    }

    /** Sends a stream to a page as server-sent events until the page disconnects or the console ends. */
    private static final class EventSender {
        static final String TYPE = "text/event-stream; charset=utf-8";

        private static final long HEARTBEAT_MILLIS = 15_000;

        private EventSender() {}

        /** Sends the stream until it ends, and then closes it. */
        static void send(HttpExchange exchange, EventStream stream) throws IOException {
            try (stream) {
                exchange.getResponseHeaders().set("Content-Type", TYPE);
                exchange.sendResponseHeaders(200, 0);
                OutputStream out = exchange.getResponseBody();
                long id = 0;
                while (!stream.isOver()) {
                    EventStream.Item item = stream.next(HEARTBEAT_MILLIS);
                    if (item != null) {
                        id++;
                        out.write(("event: " + item.name() + "\nid: " + id + "\ndata: ")
                                .getBytes(StandardCharsets.UTF_8));
                        out.write(item.data());
                        out.write('\n');
                        out.write('\n');
                    } else {
                        out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
                    }
                    out.flush();
                }
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The page's files, which are part of the build. Thread-safe. */
    private static final class PageFiles {
        private static final Pattern NAME = Pattern.compile("([A-Za-z0-9_-]+/){0,4}[A-Za-z0-9_.-]+\\.([a-z0-9]+)");

        private static final Map<String, String> TYPES = Map.of(
                "html", "text/html; charset=utf-8",
                "js", "text/javascript; charset=utf-8",
                "css", "text/css; charset=utf-8",
                "json", "application/json",
                "svg", "image/svg+xml",
                "png", "image/png",
                "woff2", "font/woff2",
                "txt", "text/plain; charset=utf-8");

        private PageFiles() {}

        /**
         * A file.
         *
         * @param type the media type
         */
        record PageFile(String type, byte[] bytes) {}

        /** Returns the file at a path; empty if there is none. */
        static Optional<PageFile> find(String path) throws IOException {
            String name = path.isEmpty() ? "index.html" : path;
            var parts = NAME.matcher(name);
            if (!parts.matches()) {
                return Optional.empty();
            }
            String type = TYPES.get(parts.group(2));
            try (InputStream file = PageFiles.class.getResourceAsStream("/console/" + name)) {
                return type == null || file == null
                        ? Optional.empty()
                        : Optional.of(new PageFile(type, file.readAllBytes()));
            }
        }
    }

    /**
     * Admits only requests from users who were given the console's address, and none from other pages. A request must name this server
     * in {@code Host}, which defeats DNS rebinding, and contain the token. Thread-safe.
     *
     * @param token the random part of the address
     */
    private record RequestGuard(int port, String token) {
        private static final Set<String> FOREIGN = Set.of("cross-site", "same-site");

        /** Returns why a request is refused; empty if it is admitted. */
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
                return Optional.of(new ConsoleProblem(403, "origin-not-allowed", "Other pages have no access."));
            }
            return path(exchange).isPresent()
                    ? Optional.empty()
                    : Optional.of(new ConsoleProblem(
                            404, "not-found", "There is nothing here; a valid address has the token."));
        }

        private boolean isHere(String host) {
            return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
        }

        private boolean isOurs(String origin) {
            return origin.startsWith("http://") && isHere(origin.substring("http://".length()));
        }

        /** Returns the path after the token; empty if the token is wrong. */
        Optional<String> path(HttpExchange exchange) {
            String path = exchange.getRequestURI().getRawPath();
            int end = path.indexOf('/', 1);
            String given = end < 0 ? "" : path.substring(1, end);
            boolean same = MessageDigest.isEqual(
                    given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
            return same ? Optional.of(path.substring(end + 1)) : Optional.empty();
        }
    }

    /**
     * The reason why a request is refused, as a problem document (RFC 9457).
     *
     * @param status the HTTP status
     * @param name the last part of its type, {@code urn:aspas:problem:NAME}
     * @param detail one sentence for people
     */
    private record ConsoleProblem(int status, String name, String detail) {}
}
