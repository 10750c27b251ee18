package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What pages in a browser may do at a server: nothing, unless their origin is on its list. */
class WebPagesTest {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String FRIEND = "https://page.example";
    private static final String STRANGER = "https://evil.example";
    private static final String ALLOW = "Access-Control-Allow-Origin";

    private static AppServer closed;
    private static AppServer open;

    @BeforeAll
    static void start() throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        AppServerOptions options = AppServerOptions.defaults().withFreePorts("127.0.0.1");
        closed = AppServer.start(
                deployment.descriptor(), 0, deployment.appserverKeys().get(0), options);
        open = AppServer.start(
                deployment.descriptor(), 1, deployment.appserverKeys().get(1), options.withOrigins(List.of(FRIEND)));
    }

    @AfterAll
    static void stop() {
        closed.close();
        open.close();
    }

    private static URI uri(AppServer server, String path) {
        return URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder increment(AppServer server, String key, String type) {
        return HttpRequest.newBuilder(uri(server, "/v1/counters/" + key + "/increment"))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString("{\"by\": 1}"));
    }

    private static long value(AppServer server, String key) throws IOException, InterruptedException {
        String read =
                send(HttpRequest.newBuilder(uri(server, "/v1/counters/" + key))).body();
        return new ObjectMapper().readTree(read).get("value").longValue();
    }

    private static void assertProblem(HttpResponse<String> response, int status, String name) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode problem = new ObjectMapper().readTree(response.body());
        assertThat(problem.get("type").textValue()).isEqualTo("urn:aspas:problem:" + name);
    }

    @Test
    void whatAnyPageMaySendWithoutAskingWritesNothing() throws Exception {
        for (String type :
                List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")) {
            assertProblem(send(increment(open, "simple", type)), 415, "not-json");
        }
        HttpRequest.Builder bare = HttpRequest.newBuilder(uri(open, "/v1/counters/simple/increment"))
                .POST(HttpRequest.BodyPublishers.noBody());
        HttpResponse<String> refused = send(bare);
        assertProblem(refused, 415, "not-json");
        assertThat(refused.headers().firstValue("Accept")).contains("application/json");
        assertThat(value(open, "simple")).isZero();
    }

    @Test
    void aForeignPageIsRefusedWhateverItAsks() throws Exception {
        for (AppServer server : List.of(closed, open)) {
            String self = "http://127.0.0.1:" + server.httpAddress().getPort();
            for (String origin : List.of(STRANGER, "null", FRIEND + ":8443", "http://page.example", self)) {
                HttpResponse<String> refused =
                        send(increment(server, "foreign", "application/json").header("Origin", origin));
                assertProblem(refused, 403, "origin-not-allowed");
                assertThat(refused.headers().firstValue(ALLOW)).isEmpty();
                assertProblem(
                        send(HttpRequest.newBuilder(uri(server, "/v1/status")).header("Origin", origin)),
                        403,
                        "origin-not-allowed");
            }
            assertThat(value(server, "foreign")).isZero();
        }
        assertProblem(
                send(increment(closed, "foreign", "application/json").header("Origin", FRIEND)),
                403,
                "origin-not-allowed");
        assertProblem(
                send(increment(open, "foreign", "application/json")
                        .header("Origin", FRIEND)
                        .header("Origin", STRANGER)),
                403,
                "origin-not-allowed");
        assertThat(value(open, "foreign")).isZero();
    }

    @Test
    void aPageOnTheListAsksFirstAndThenReadsAndWrites() throws Exception {
        HttpResponse<String> permission = send(preflight(open, FRIEND));
        assertThat(permission.statusCode()).isEqualTo(204);
        assertThat(permission.headers().firstValue(ALLOW)).contains(FRIEND);
        assertThat(permission.headers().firstValue("Access-Control-Allow-Methods"))
                .contains("GET, POST");
        assertThat(permission.headers().firstValue("Access-Control-Allow-Headers"))
                .contains("Content-Type");
        assertThat(permission.headers().firstValue("Vary")).contains("Origin");

        HttpResponse<String> done =
                send(increment(open, "friend", "application/json").header("Origin", FRIEND));
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        assertThat(done.headers().firstValue(ALLOW)).contains(FRIEND);
        HttpResponse<String> wrong =
                send(HttpRequest.newBuilder(uri(open, "/v1/nothing")).header("Origin", FRIEND));
        assertProblem(wrong, 404, "not-found");
        assertThat(wrong.headers().firstValue(ALLOW)).contains(FRIEND);
        assertThat(value(open, "friend")).isEqualTo(1);
    }

    @Test
    void nobodyElseIsTold() throws Exception {
        assertProblem(send(preflight(open, STRANGER)), 403, "origin-not-allowed");
        assertProblem(send(preflight(closed, FRIEND)), 403, "origin-not-allowed");
        HttpResponse<String> program = send(HttpRequest.newBuilder(uri(open, "/v1/status")));
        assertThat(program.headers().firstValue(ALLOW)).isEmpty();
        assertThat(program.headers().firstValue("Vary")).contains("Origin");
        assertThat(send(HttpRequest.newBuilder(uri(closed, "/v1/status")))
                        .headers()
                        .firstValue("Vary"))
                .isEmpty();
        HttpRequest.Builder options = HttpRequest.newBuilder(uri(open, "/v1/status"))
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Origin", FRIEND);
        HttpResponse<String> told = send(options);
        assertThat(told.statusCode()).isEqualTo(204);
        assertThat(told.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
        assertThat(told.headers().firstValue("Access-Control-Allow-Methods")).isEmpty();
    }

    private static HttpRequest.Builder preflight(AppServer server, String origin) {
        return HttpRequest.newBuilder(uri(server, "/v1/counters/friend/increment"))
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type");
    }

    @Test
    void aWebSocketOfAForeignPageIsRefused() {
        assertThat(handshake(open, STRANGER)).isEqualTo(403);
        assertThat(handshake(closed, FRIEND)).isEqualTo(403);
        assertThat(handshake(open, FRIEND)).isEqualTo(101);
    }

    private static int handshake(AppServer server, String origin) {
        URI session = URI.create("ws://127.0.0.1:" + server.httpAddress().getPort() + "/v1/session");
        try {
            HTTP.newWebSocketBuilder()
                    .header("Origin", origin)
                    .buildAsync(session, new WebSocket.Listener() {})
                    .join()
                    .abort();
            return 101;
        } catch (CompletionException refused) {
            assertThat(refused).hasCauseInstanceOf(WebSocketHandshakeException.class);
            return ((WebSocketHandshakeException) refused.getCause())
                    .getResponse()
                    .statusCode();
        }
    }
}
