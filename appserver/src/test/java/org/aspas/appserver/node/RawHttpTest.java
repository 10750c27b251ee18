package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.TestLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What no HTTP library would send, written on bare sockets: every answer is a problem document, and the server goes on. */
class RawHttpTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String POST = "POST /v1/counters/c/increment HTTP/1.1\r\nHost: x\r\n";

    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        HttpLimits limits = new TestLimits()
                .bodies(2048)
                .frameTimeout(Duration.ofMillis(500))
                .make();
        server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults().withFreePorts("127.0.0.1").withHttp(limits));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** What comes back on a new connection for these bytes, until the server closes it or has sent the whole body. */
    private static String exchange(byte[] request, boolean end) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.httpAddress().getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
            if (end) {
                socket.shutdownOutput();
            }
            StringBuilder answer = new StringBuilder();
            byte[] buffer = new byte[8192];
            int count = socket.getInputStream().read(buffer);
            while (count >= 0) {
                answer.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
                if (isWhole(answer)) {
                    break;
                }
                count = socket.getInputStream().read(buffer);
            }
            return answer.toString();
        }
    }

    private static boolean isWhole(StringBuilder answer) {
        int head = answer.indexOf("\r\n\r\n");
        if (head >= 0 && answer.indexOf(" 204 ") == "HTTP/1.1".length()) {
            return true;
        }
        int length = answer.indexOf("Content-Length: ");
        if (head < 0 || length < 0 || length > head) {
            return false;
        }
        String digits = answer.substring(length + "Content-Length: ".length(), answer.indexOf("\r\n", length));
        return answer.length() >= head + 4 + Integer.parseInt(digits);
    }

    private static void assertProblem(String request, int status, String name) throws IOException {
        assertProblem(ascii(request), status, name);
    }

    private static void assertProblem(byte[] request, int status, String name) throws IOException {
        String what = new String(request, StandardCharsets.ISO_8859_1);
        String answer = exchange(request, false);
        assertThat(answer).as(what).startsWith("HTTP/1.1 " + status + " ");
        assertThat(answer).as(what).contains("Content-Type: application/problem+json");
        JsonNode problem = MAPPER.readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4));
        assertThat(problem.path("type").asText()).as(answer).isEqualTo("urn:aspas:problem:" + name);
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("title").asText()).isNotEmpty();
        assertThat(problem.path("detail").asText()).isNotEmpty();
    }

    private static void assertServes() throws IOException {
        assertThat(exchange(ascii("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"), false))
                .startsWith("HTTP/1.1 200 ");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void brokenRequestsGetProblemDocumentsAndAreCounted() throws Exception {
        long before = server.httpCounts().unreadableRequests();
        assertProblem("this is not HTTP at all\r\n\r\n", 501, "not-implemented");
        assertProblem("EXPLODE /v1/status HTTP/1.1\r\nHost: x\r\n\r\n", 501, "not-implemented");
        assertProblem("GET /v1/status HTTP/9.9\r\nHost: x\r\n\r\n", 505, "http-version");
        assertProblem("GET /v1/\u0001bad HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request");
        assertProblem("GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request");
        assertProblem("GET /v1/status HTTP/1.1\r\n\r\n", 400, "bad-request");
        assertProblem("GET /v1/status HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n", 400, "bad-request");
        assertProblem("GET /" + "u".repeat(21_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri-too-long");
        assertProblem(
                "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + "v".repeat(10_000) + "\r\n\r\n", 431, "headers-too-large");
        assertProblem("POST /v1/status HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", 400, "bad-request");
        assertThat(server.httpCounts().unreadableRequests()).isGreaterThanOrEqualTo(before + 10);
        assertServes();
    }

    @Test
    void brokenBodiesGetProblemDocuments() throws Exception {
        String post = POST + "Content-Type: application/json\r\n";
        assertProblem(post + "Content-Length: 3000\r\n\r\n" + " ".repeat(3000), 413, "too-large");
        assertProblem(post + "Content-Length: 10485760\r\n\r\n" + " ".repeat(3000), 413, "too-large");
        assertProblem(post + "Content-Length: 9223372036854775807\r\n\r\n{}", 413, "too-large");
        assertProblem(
                post + "Transfer-Encoding: chunked\r\n\r\nbb8\r\n" + " ".repeat(3000) + "\r\n0\r\n\r\n",
                413,
                "too-large");
        assertProblem(post + "Transfer-Encoding: chunked\r\n\r\nno length\r\n", 400, "bad-request");
        assertProblem(post + "Content-Length: 10\r\n\r\n{\"by\"", 408, "slow-body");
        assertServes();
    }

    /** Bodies that two readers could take for two different things. */
    @Test
    void ambiguousBodiesGetProblemDocuments() throws Exception {
        assertThat(exchange(json("{\"by\":2}", StandardCharsets.UTF_8), false)).startsWith("HTTP/1.1 200 ");
        assertProblem(json("{\"by\":2,\"by\":3}", StandardCharsets.UTF_8), 400, "bad-request");
        assertProblem(json("{\"by\":2,\"\\u0062y\":3}", StandardCharsets.UTF_8), 400, "bad-request");
        assertProblem(json("{\"By\":2}", StandardCharsets.UTF_8), 422, "unknown-field");
        assertProblem(json("{\"by\":2,\"element\":3}", StandardCharsets.UTF_8), 422, "unknown-field");
        assertProblem(json("{\"by\":2}{\"by\":3}", StandardCharsets.UTF_8), 400, "bad-request");
        assertProblem(json("\uFEFF{\"by\":2}", StandardCharsets.UTF_8), 400, "bad-request");
        assertProblem(json("{\"by\":2}", StandardCharsets.UTF_16LE), 400, "bad-request");
        assertProblem(json("{\"by\":2}", StandardCharsets.UTF_16), 400, "bad-request");
        assertProblem(json("{\"by\":\"\u00e9\"}", StandardCharsets.UTF_8), 422, "bad-operation");
        assertProblem(json("{\"by\":\"\u00e9\"}", StandardCharsets.ISO_8859_1), 400, "bad-request");
        assertServes();
    }

    private static byte[] json(String text, Charset charset) {
        byte[] body = text.getBytes(charset);
        byte[] head = ascii(POST + "Content-Type: application/json; charset=" + charset.name() + "\r\nContent-Length: "
                + body.length + "\r\n\r\n");
        byte[] whole = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    @Test
    void otherMediaTypesAndCompressedBodiesGetProblemDocuments() throws Exception {
        String body = "Content-Length: 8\r\n\r\n{\"by\":2}";
        assertProblem(POST + body, 415, "not-json");
        assertProblem(POST + "Content-Length: 0\r\n\r\n", 415, "not-json");
        assertProblem(POST + "Content-Type: text/plain\r\n" + body, 415, "not-json");
        assertProblem(POST + "Content-Type: application/jsonp\r\n" + body, 415, "not-json");
        assertProblem(POST + "Content-Type: nonsense\r\n" + body, 415, "not-json");
        String json = POST + "Content-Type: application/json\r\n";
        assertProblem(json + "Content-Encoding: gzip\r\n" + body, 415, "compressed");
        assertProblem(json + "Content-Encoding: identity, br\r\n" + body, 415, "compressed");
        assertThat(exchange(ascii(json + "Content-Encoding: identity\r\n" + body), false))
                .startsWith("HTTP/1.1 200 ");
        assertThat(exchange(ascii(json + "Content-Length: 0\r\n\r\n"), false)).startsWith("HTTP/1.1 200 ");
        assertServes();
    }

    /** RFC 9112, section 2.2, allows a bare line feed. Where one request ends and the next begins stays without doubt. */
    @Test
    void linesMayEndInALineFeedAndLengthsAreNotAmbiguous() throws Exception {
        assertThat(exchange(ascii("GET /livez HTTP/1.1\nHost: x\n\n"), false)).startsWith("HTTP/1.1 200 ");
        String json = POST + "Content-Type: application/json\r\n";
        assertProblem(json + "Content-Length: 2\r\nContent-Length: 8\r\n\r\n{\"by\":2}", 400, "bad-request");
        assertProblem(
                json + "Content-Length: 8\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"by\":2}\r\n0\r\n\r\n",
                400,
                "bad-request");
        assertServes();
    }

    @Test
    void wrongMethodsAndPathsGetProblemDocuments() throws Exception {
        assertProblem("DELETE /v1/counters/c HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method-not-allowed");
        assertProblem("GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request");
        assertProblem("GET /v1/counters/%ff HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request");
        assertProblem("GET /v1/counters/c?level=%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request");
        assertProblem("GET /v1/counters/ HTTP/1.0\r\nHost: x\r\n\r\n", 400, "bad-request");
        assertServes();
    }

    /** A request line and what it is answered with: a status, and words of the body or the name of a header with its value. */
    private static void assertAnswered(String line, int status, String... words) throws IOException {
        String body =
                line.startsWith("POST") ? "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" : "\r\n";
        String answer = exchange(ascii(line + " HTTP/1.1\r\nHost: x\r\n" + body), false);
        assertThat(answer).as(line).startsWith("HTTP/1.1 " + status + " ");
        assertThat(List.of(words))
                .allSatisfy(word -> assertThat(answer).as(line).contains(word));
        assertThat(status < 400 || answer.contains("application/problem+json"))
                .as(answer)
                .isTrue();
    }

    /** Otherwise a request for one key, or one that a proxy changed on its way, would write another. */
    @Test
    void aPathIsReadAsItArrived() throws Exception {
        assertAnswered("POST /v1/counters/x/../y/increment", 400, "'..'", "%2E");
        assertAnswered("POST /v1/counters/x/./increment", 400, "'.'");
        for (String path : new String[] {
            "/v1/counters//x", "//v1//counters/x", "/v1/counters/x/", "//v1/counters/x", "/v1//counters/x", "/livez/"
        }) {
            assertAnswered("GET " + path, 400, "empty segment");
            assertAnswered("GET http://x" + path, 400, "empty segment");
        }
        assertAnswered("POST /v1/counters//increment", 400, "empty segment", "at least one character");
        assertAnswered("POST /v1/counters/likes/42/increment", 404, "%2F", "/v1/counters/likes%2F42");
        assertAnswered("GET /v1/sets/likes/42", 404, "%2F");
        assertAnswered("GET /v1/counters/y", 200, "\"value\":0");
        assertAnswered("GET /v1/counters/x", 200, "\"value\":0");
    }

    @Test
    void aKeyMayBeOfDotsOrHoldASlash() throws Exception {
        for (String key : new String[] {
            "%2E", "%2E%2E", "%2e%2e", "a%2Fb", "%2F", "%2Fa%2F", "a%2F%2E%2E%2Fb", "%252F", "%00", "+"
        }) {
            assertAnswered("POST /v1/counters/" + key + "/increment", 200);
        }
        assertAnswered("GET /v1/counters/%2E%2E", 200, "\"key\":\"..\"", "\"value\":2");
        assertAnswered("GET /v1/counters?key=..&key=.&key=a/b&key=a%2F..%2Fb&key=/", 200, "\"value\":2", "\"value\":1");
        assertAnswered("GET /v1/counters/a%2Fb", 200, "\"key\":\"a/b\"", "\"value\":1");
        assertAnswered("GET /v1/counters/%252F", 200, "\"key\":\"%2F\"", "\"value\":1");
        assertAnswered("GET /v1/counters/+", 200, "\"key\":\"+\"", "\"value\":1");
        assertAnswered("GET /v1/counters?key=%2B", 200, "\"key\":\"+\"", "\"value\":1");
        assertAnswered("GET http://x/v1/counters/a%2Fb", 200, "\"value\":1");
        assertAnswered("GET http://x", 404, "No resource");
        assertAnswered("GET http://x?a", 404, "No resource");
    }

    /** The replacement character is a character like any other; what is no UTF-8 has one reason, wherever it stands. */
    @Test
    void textIsUnicode() throws Exception {
        assertAnswered("POST /v1/counters/%EF%BF%BD/increment", 200);
        assertAnswered("GET /v1/counters?key=%EF%BF%BD", 200, "\"value\":1");
        String reason = "is not text in UTF-8: it has other bytes, or half of a surrogate pair.";
        for (String wrong : new String[] {"%FF", "%C0%AF", "%ED%A0%80", "%F0%9F", "a%E2%82"}) {
            assertAnswered("GET /v1/counters/" + wrong, 400, reason);
            assertAnswered("POST /v1/counters/" + wrong + "/increment", 400, reason);
            assertAnswered("GET /v1/counters?key=" + wrong, 400, reason);
            assertAnswered("GET /v1/sets/s?element=%22" + wrong + "%22", 400, reason);
            assertAnswered("GET /v1/objects?prefix=" + wrong, 400, reason);
            assertAnswered("GET /livez?" + wrong, 400, reason);
        }
        assertAnswered("GET /v1/sets/s?element=%22%5Cud800%22", 400, reason);
        String set = "POST /v1/sets/s/add HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ";
        assertThat(exchange(ascii(set + "20\r\n\r\n{\"element\":\"\\ud800\"}"), false))
                .startsWith("HTTP/1.1 400 ")
                .contains(reason);
        assertThat(exchange(ascii(set + "17\r\n\r\n{\"element\":\"\u00ed\u00a0\u0080\"}"), false))
                .startsWith("HTTP/1.1 400 ")
                .contains(reason);
    }

    @Test
    void whatStandsTwiceIsRefusedByName() throws Exception {
        assertAnswered("GET /v1/counters?key=c1&key=c1", 422, "repeated-parameter", "key 'c1'");
        assertAnswered("GET /v1/counters?key=c1&key=c2&key=%63%31", 422, "repeated-parameter", "key 'c1'");
        assertAnswered("GET /v1/watch?key=c1&key=c1", 422, "repeated-parameter", "key 'c1'");
        assertAnswered("GET /v1/sets?key=c1&level=local&level=local", 422, "repeated-parameter", "'level'");
        assertAnswered(
                "POST /v1/counters/c/increment?confirm=true&confirm=true", 422, "repeated-parameter", "'confirm'");
        assertAnswered("GET /readyz?verbose&verbose", 422, "repeated-parameter", "'verbose'");
        assertAnswered("GET /v1/counters/c?x=1&x=1", 422, "unknown-parameter", "'x'");
        assertAnswered("GET /v1/counters/c?", 200);
        assertAnswered("GET /v1/counters/c?&", 422, "unknown-parameter", "''");
        assertThat(exchange(json("{\"by\":2,\"by\":3}", StandardCharsets.UTF_8), false))
                .contains("'by' twice");
    }

    @Test
    void optionsTellWhatAResourceTakes() throws Exception {
        assertAnswered("OPTIONS /v1/counters/c", 204, "Allow: GET, HEAD, OPTIONS\r\n");
        assertAnswered("OPTIONS /v1/counters/c/increment", 204, "Allow: OPTIONS, POST\r\n");
        assertAnswered("OPTIONS /v1/status", 204, "Allow: GET, HEAD, OPTIONS\r\n");
        assertAnswered("OPTIONS *", 204, "Allow: GET, HEAD, OPTIONS, POST\r\n");
        assertAnswered("OPTIONS /nothing", 404, "No resource");
        assertAnswered("GET *", 404, "No resource");
        assertAnswered("DELETE /v1/counters/c", 405, "Allow: GET, HEAD, OPTIONS\r\n", "does not take DELETE");
        assertAnswered("POST /v1/counters/c", 405, "Allow: GET, HEAD, OPTIONS\r\n");
        assertAnswered("GET /v1/counters/c/increment", 405, "Allow: OPTIONS, POST\r\n");
        assertThat(exchange(ascii("HEAD /v1/counters/c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), true))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n");
    }

    @Test
    void theOldHttpIsServed() throws Exception {
        assertThat(exchange(ascii("GET /v1/counters/c HTTP/1.0\r\n\r\n"), false))
                .matches("(?s)HTTP/1.[01] 200 .*");
        assertThat(exchange(
                        ascii("POST /v1/counters/old/increment HTTP/1.0\r\nContent-Type: application/json\r\n"
                                + "Content-Length: 2\r\n\r\n{}"),
                        false))
                .matches("(?s)HTTP/1.[01] 200 .*");
        assertAnswered("GET /v1/counters/old", 200, "\"value\":1");
        assertServes();
    }

    @Test
    void noiseDisturbsNobody() throws Exception {
        long seed = 20210614;
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            byte[] noise = new byte[1 + random.nextInt(4000)];
            random.nextBytes(noise);
            String answer = exchange(noise, true);
            assertThat(answer.isEmpty() || answer.contains("application/problem+json"))
                    .as("seed %d, round %d: %s", seed, round, answer)
                    .isTrue();
        }
        assertServes();
    }
}
