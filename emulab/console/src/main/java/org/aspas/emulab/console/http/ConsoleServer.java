package org.aspas.emulab.console.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.EventStream;
import org.aspas.emulab.console.port.ActionRefused;
import org.aspas.emulab.console.port.ConsoleBackend;
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
     * Begins to serve.
     *
     * @throws IOException when there is no free port
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

    /** The page's address, which is a secret: who knows it may act. */
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
                ConsoleAnswers.problem(exchange, new ConsoleProblem(405, "method-not-allowed", "An action is a POST."));
            } else {
                act(exchange, action.group(1));
            }
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            ConsoleAnswers.problem(
                    exchange, new ConsoleProblem(405, "method-not-allowed", "This is there to be read."));
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
                            503, "busy", "The console has ended, or " + ConsoleState.MOST_STREAMS + " are open."));
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

    /** Ends all streams and serves nothing any more. */
    @Override
    public void close() {
        state.end("The console has ended.");
        server.stop(1);
        threads.shutdownNow();
    }
}
