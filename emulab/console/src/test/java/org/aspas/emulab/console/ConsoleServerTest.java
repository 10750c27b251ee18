package org.aspas.emulab.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.emulab.console.feed.ActionRefused;
import org.aspas.emulab.console.feed.ConsoleBackend;
import org.aspas.emulab.console.feed.ConsoleServer;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.EventStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is let in, what is served, and what becomes of a page that is too slow. */
class ConsoleServerTest {
    private final ConsoleState state = new ConsoleState(ConsoleState.object().put("version", 1));
    private ConsoleServer server;
    private URI address;

    @BeforeEach
    void start() throws IOException {
        server = ConsoleServer.start(state, new NoActions());
        address = server.address();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private record NoActions() implements ConsoleBackend {
        @Override
        public DescriptorFile descriptor() {
            return new DescriptorFile("{}".getBytes(StandardCharsets.UTF_8), new byte[] {1, 2});
        }

        @Override
        public PublicKey operator() {
            return PublicKey.of(new byte[32]);
        }

        @Override
        public Optional<byte[]> certificate(long number) {
            return Optional.empty();
        }

        @Override
        public Optional<byte[]> proof(String hash) {
            return Optional.empty();
        }

        @Override
        public String act(String name, ObjectNode body) throws ActionRefused {
            throw new ActionRefused(ActionRefused.Why.READ_ONLY, "This console may only look.");
        }
    }

    /** The first line of the answer to a request as it stands, for clients that may not set these headers. */
    private String status(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", address.getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(12);
            return new String(answer, StandardCharsets.US_ASCII);
        }
    }

    private String get(String path, String... headers) throws IOException {
        String more = String.join(
                "",
                java.util.Arrays.stream(headers).map(header -> header + "\r\n").toList());
        return status("GET " + path + " HTTP/1.1\r\nConnection: close\r\n" + more + "\r\n");
    }

    @Test
    void onlyWhoKnowsTheAddressIsLetIn() throws Exception {
        String host = "Host: 127.0.0.1:" + address.getPort();
        String file = address.getPath() + "test-page.txt";
        assertThat(get(file, host)).endsWith("200");
        assertThat(get(file, "Host: localhost:" + address.getPort())).endsWith("200");
        assertThat(get(file, "Host: rebound.example:" + address.getPort())).endsWith("421");
        assertThat(get(file, host, "Origin: http://evil.example")).endsWith("403");
        assertThat(get(file, host, "Origin: null")).endsWith("403");
        assertThat(get(file, host, "Origin: http://127.0.0.1:" + address.getPort()))
                .endsWith("200");
        assertThat(get(file, host, "Sec-Fetch-Site: cross-site")).endsWith("403");
        assertThat(get("/test-page.txt", host)).endsWith("404");
        assertThat(get("/" + "A".repeat(32) + "/test-page.txt", host)).endsWith("404");
        assertThat(get("/", host)).endsWith("404");
        assertThat(status("GET " + file + " HTTP/1.0\r\n" + host + "\r\n\r\n")).endsWith("200");
        assertThat(status("GET " + file + " HTTP/1.0\r\n" + host + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
                .endsWith("400");
    }

    @Test
    void filesOfThePageAreServedAndNoOthers() throws Exception {
        try (PageClient page = new PageClient(address)) {
            var file = page.get("test-page.txt");
            assertThat(new String(file.body(), StandardCharsets.UTF_8)).startsWith("A file of the tests");
            assertThat(file.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'");
            assertThat(file.headers().firstValue("Cache-Control")).contains("no-store");
            for (String none : new String[] {
                "logback-test.xml",
                "../logback-test.xml",
                "%2e%2e/logback-test.xml",
                "nothing.js",
                "api/nothing",
                "api/certificates/1",
                "api/proofs/" + "0".repeat(64),
                "api/proofs/" + "0".repeat(64) + "/verdict"
            }) {
                assertThat(page.get(none).statusCode()).as(none).isEqualTo(404);
            }
            assertThat(page.act("tau", "{}").statusCode()).isEqualTo(403);
            assertThat(page.act("tau", "no json").statusCode()).isEqualTo(400);
            assertThat(page.act("tau", "{\"a\":1,\"a\":2}").statusCode()).isEqualTo(400);
            assertThat(page.act("tau", " ".repeat(5000)).statusCode()).isEqualTo(413);
        }
    }

    @Test
    void aPageGetsTheStateFirstAndThenEveryEvent() throws Exception {
        state.publish("lag", state.timed().put("x", 1));
        state.story(state.timed().put("text", "before"));
        try (PageClient page = new PageClient(address).listen()) {
            state.story(state.timed().put("text", "after"));
            server.close();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(300))
                    .until(() -> !page.all("end").isEmpty());
            assertThat(page.events()).extracting(PageClient.PageEvent::name).containsExactly("hello", "story", "end");
            assertThat(page.events()).extracting(PageClient.PageEvent::id).containsExactly(1L, 2L, 3L);
            assertThat(page.all("hello").get(0).path("lag").path("x").asInt()).isEqualTo(1);
            assertThat(page.all("hello").get(0).path("story")).hasSize(1);
            assertThat(page.all("story").get(0).path("seq").asInt()).isEqualTo(2);
        }
    }

    @Test
    void theOldestEventsOfASlowPageAreDroppedAndCounted() throws Exception {
        EventStream slow = state.open().orElseThrow();
        for (int event = 0; event < EventStream.MOST_WAITING + 12; event++) {
            state.publish("lag", ConsoleState.object().put("event", event));
        }
        assertThat(slow.next(1).name()).isEqualTo("hello");
        EventStream.Item told = slow.next(1);
        assertThat(told.name()).isEqualTo("dropped");
        assertThat(new String(told.data(), StandardCharsets.UTF_8)).isEqualTo("{\"count\":12,\"total\":12}");
        assertThat(new String(slow.next(1).data(), StandardCharsets.UTF_8)).isEqualTo("{\"event\":12}");
        slow.close();
    }

    /** Headers alone: a stream would never end. */
    @Test
    void askingForTheHeadersOfTheStreamOpensNone() throws Exception {
        HttpRequest head = HttpRequest.newBuilder(address.resolve("api/events"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();
        for (int asked = 0; asked <= ConsoleState.MOST_STREAMS; asked++) {
            var answer = HttpClient.newHttpClient().send(head, HttpResponse.BodyHandlers.discarding());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
        }
        assertThat(state.open()).isPresent();
    }

    @Test
    void fewPagesAreOpenAtOnce() throws Exception {
        for (int stream = 0; stream < ConsoleState.MOST_STREAMS; stream++) {
            assertThat(state.open()).isPresent();
        }
        try (PageClient page = new PageClient(address)) {
            assertThat(page.get("api/events").statusCode()).isEqualTo(503);
        }
    }
}
