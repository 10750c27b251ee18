package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.aspas.appserver.http.TestLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Over a hundred requests that no library would send, each on a bare socket. Whatever they are: no answer is of status 500, each
 * refusal has a problem document, none has the words of a library, and the counter {@code y}, which none of them names, is never changed.
 */
class HttpSweepTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int PATIENCE_MILLIS = 60_000;

    /** What Akka, parboiled, Jackson and the JDK say. */
    private static final Pattern LIBRARY = Pattern.compile(
            "REDACTED|Stream(Read|Write)|JsonRead|expected |EOI|pchar|akka|Akka|jackson|Exception|java\\.|line 1, column 0|`|Feature|configured limit");

    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults()
                        .withFreePorts("127.0.0.1")
                        .withHttp(new TestLimits()
                                .bodies(2048)
                                .frameTimeout(Duration.ofMillis(400))
                                .make()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** All that comes until the server ends the connection, which it does when this end is closed. */
    private static String exchange(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.httpAddress().getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8192];
            int count = in.read(buffer);
            if (count >= 0) {
                all.write(buffer, 0, count);
                socket.shutdownOutput();
                all.writeBytes(in.readAllBytes());
            }
            return all.toString(StandardCharsets.UTF_8);
        }
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private static String with(String header) {
        return "GET /v1/counters/c HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n";
    }

    private static String post(String body) {
        return post("/v1/counters/c/increment", "Content-Length: " + body.length() + "\r\n", body);
    }

    private static String add(String element) {
        String body = "{\"element\":" + element + "}";
        return post("/v1/sets/s/add", "Content-Length: " + body.length() + "\r\n", body);
    }

    private static String post(String target, String headers, String body) {
        return "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers + "\r\n"
                + body;
    }

    private static List<String> probes() {
        List<String> probes = new ArrayList<>();
        for (String method : List.of(
                "get",
                "Get",
                "PUT",
                "PATCH",
                "DELETE",
                "TRACE",
                "CONNECT",
                "PRI",
                "FOO",
                "GETT",
                "G",
                "HEAD",
                "OPTIONS",
                "A23456789012345678901234567890",
                "GET\t",
                "\u0000GET",
                "GE\u0000T",
                "GET ",
                "\u00e9",
                "\u0016\u0003\u0001")) {
            probes.add(method + " /v1/counters/c HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        for (String target : List.of(
                "/",
                "*",
                "",
                "v1/counters/c",
                "?key=c",
                "#",
                "/v1/counters/c#fragment",
                "/v1/counters/x/../y",
                "/v1/counters//y",
                "//v1/counters/y",
                "/v1/counters/y/",
                "/v1/./counters/y",
                "/v1/counters/%",
                "/v1/counters/%2",
                "/v1/counters/%zz",
                "/v1/counters/%u0041",
                "/v1/counters/%FF",
                "/v1/counters/%C0%AF",
                "/v1/counters/%ED%A0%80",
                "/v1/counters/\u00e9",
                "/v1/counters/a\"b",
                "/v1/counters/a<b>",
                "/v1/counters/a|b",
                "/v1/counters/a\\b",
                "/v1/counters/a^b",
                "/v1/counters/a`b",
                "/v1/counters/{c}",
                "/v1/counters/[c]",
                "/v1/counters/a\u0000b",
                "/v1/counters/a\u007fb",
                "/v1/counters/a;b=c",
                "http://x/v1/counters/c",
                "http://other/v1/counters/c",
                "http://x:99999/v1/counters/c",
                "http:///v1/counters/c",
                "https://x/v1/counters/c",
                "ftp://x/v1/counters/c",
                "file:///etc/passwd",
                "http://u:p@x/v1/counters/c",
                "x:80",
                "/v1/counters?key=c&key=c",
                "/v1/counters?key",
                "/v1/counters?=c",
                "/v1/counters?key=%",
                "/v1/counters?key=a%00b",
                "/v1/counters?key=a&&key=b",
                "/v1/counters?KEY=a",
                "/v1/counters/c?level=Local",
                "/v1/counters/c?level=local#x",
                "/v1/counters/c?level=local?x",
                "/v1/sets/s?element=%5B",
                "/v1/sets/s?element=%7B%22a%22:1,%22a%22:2%7D",
                "/v1/sets/s?element=NaN",
                "/v1/sets/s?element=" + "%5B".repeat(1500),
                "/v1/sets/s?element=" + "9".repeat(1200),
                "/v1/certificates/0",
                "/v1/certificates/99999999999999999999",
                "/v1/evidence/..%2F..%2Fetc%2Fpasswd",
                "/v1/session",
                "/metrics/",
                "/openapi.yaml?x",
                "/" + "a".repeat(30_000),
                "/v1/" + "a/".repeat(5000))) {
            probes.add(get(target));
        }
        for (String header : List.of(
                "Host: x",
                "Host: y",
                "Host:",
                "Host: x y",
                "Content-Length: 5",
                "Content-Length: -1",
                "Content-Length: +2",
                "Content-Length: 2, 2",
                "Content-Length: 0x2",
                "Content-Length: 99999999999999999999",
                "Content-Length:",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 2",
                "Content-Length: 2\r\nContent-Length: 3",
                "Expect: 100-continue",
                "Expect: 200-ok",
                "Upgrade: websocket\r\nConnection: Upgrade",
                "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
                "Connection: \u0001",
                "No colon at all",
                ": no name",
                "Bad Name: x",
                "X\u0000: x",
                "X: a\u0000b",
                " Folded: x",
                "X: a\r\n b",
                "X : x",
                "X: " + "v".repeat(9000),
                "N".repeat(100) + ": x",
                "X: 1\r\n".repeat(70) + "X: 1",
                "Origin: http://evil",
                "Origin: null",
                "Content-Type: \u00ff",
                "Range: bytes=0-1",
                "Accept: image/png",
                "Accept-Encoding: gzip;q=x",
                "Cookie: =;;;",
                "If-None-Match: *",
                "Content-Encoding: gzip",
                "traceparent: nonsense",
                "Last-Event-ID: \u00e9.",
                "X: \u00e9\r\nY: z",
                "X: \u00f0\r\nY: z",
                "X: \u00c3\r\nY: z",
                "X: \u00e9\r\nContent-Length: 0",
                "Transfer-Encoding: \u00e9\r\nY: z",
                "Accept: \u00e9\r\nY: z",
                "Authorization: Basic !!!")) {
            probes.add(with(header));
        }
        for (String body : List.of(
                "{",
                "}",
                "[]",
                "null",
                "7",
                "\"x\"",
                "{\"by\":}",
                "{\"by\":1,}",
                "{'by':1}",
                "{by:1}",
                "{\"by\":01}",
                "{\"by\":+1}",
                "{\"by\":NaN}",
                "{\"by\":Infinity}",
                "{\"by\":1e400}",
                "{\"by\":9223372036854775808}",
                "{\"by\":" + "9".repeat(1500) + "}",
                "{\"by\":\"x\"}",
                "{\"by\":true}",
                "{\"by\":null}",
                "{\"by\":[[1]]}",
                "{\"by\":1}x",
                "{\"by\":1}{}",
                "{\"by\":1,\"by\":1}",
                "/* c */{}",
                "{}\u0000",
                "\u00ef\u00bb\u00bf{}",
                "{\"\\ud800\":1}",
                "{\"by\":\"\u0001\"}",
                "{\"by\":" + "[".repeat(1500) + "}",
                " ",
                "{\"by\":0}",
                "{\"by\":-1}")) {
            probes.add(post(body));
        }
        for (String element : List.of(
                "\"\\ud800\"", "{\"base64\":\"*\"}", "{\"integer\":\"x\"}", "{\"integer\":1}", "1.0", "[]", "{}")) {
            probes.add(add(element));
        }
        String increment = "/v1/counters/c/increment";
        probes.add(post(increment, "", ""));
        probes.add(post(increment, "Content-Length: 2\r\n", "{}GARBAGE"));
        probes.add(post(increment, "Content-Length: 10\r\n", "{}"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n{}\r\n0\r\n\r\n"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "2\r\n{}XX0\r\n\r\n"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "2;" + "e".repeat(300) + "\r\n{}\r\n0\r\n\r\n"));
        probes.add(post(increment, "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n"));
        probes.add(post(increment, "Expect: 100-continue\r\nContent-Length: 2\r\n", "{}"));
        probes.add("GET /v1/counters/c HTTP/1.0\r\n\r\n");
        probes.add("GET /v1/counters/c\r\n\r\n");
        probes.add("GET /v1/counters/c HTTP/1.1\n\n");
        probes.add("GET /v1/counters/c HTTP/2.0\r\nHost: x\r\n\r\n");
        probes.add("GET /v1/counters/c http/1.1\r\nHost: x\r\n\r\n");
        probes.add("GET /v1/counters/c HTTP/1.1 x\r\nHost: x\r\n\r\n");
        probes.add("GET  /v1/counters/c HTTP/1.1\r\nHost: x\r\n\r\n");
        probes.add("\r\n\r\n" + get("/livez"));
        probes.add("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        probes.add("SSH-2.0-OpenSSH_9.6\r\n");
        probes.add(get("/livez") + get("/v1/counters/c") + get("/nothing"));
        probes.add(get("/livez") + "nonsense\r\n\r\n");
        return probes;
    }

    /**
     * HTTP/1.0 has no chunked bodies (RFC 9112, section 6.1): such a request is refused, and what follows on its connection is not looked
     * at, for nobody knows where it begins.
     */
    @Test
    void aChunkedRequestOfTheOldHttpChangesNothing() throws Exception {
        String head = "POST /v1/counters/old/increment HTTP/1.0\r\nContent-Type: application/json\r\n";
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
        String following = "POST /v1/counters/old/increment HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\n\r\n{}";
        long unreadable = server.httpCounts().unreadableRequests();
        for (String request : List.of(
                chunked,
                chunked.replace("\r\n\r\n2", "\r\nConnection: keep-alive\r\n\r\n2") + following,
                chunked.replace("chunked", "Chunked"),
                head + "Transfer-Encoding: chunked\r\n\r\n")) {
            String answer = exchange(request);
            assertThat(answer)
                    .startsWith("HTTP/1.1 400 ")
                    .contains("Connection: close", "HTTP/1.0 has no chunked bodies");
            check(request, answer);
            assertThat(answer.split("HTTP/1.1 [0-9]")).hasSize(2);
        }
        assertThat(server.httpCounts().unreadableRequests()).isEqualTo(unreadable + 4);
        String afterAnother = exchange(get("/livez") + chunked);
        assertThat(afterAnother).startsWith("HTTP/1.1 200 ").contains("HTTP/1.1 400 ");
        check(chunked, afterAnother);
        assertThat(exchange("GET /v1/counters/old HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .contains("\"value\":0");
        assertThat(exchange(head + "Content-Length: 2\r\n\r\n{}")).contains("\"value\":1");
    }

    /** A proxy that forwards a byte of Latin-1 and takes the length behind it for one would give its next user's answer away. */
    @Test
    void aByteOfAnotherEncodingHidesNoHeader() throws Exception {
        for (String last : List.of("\u00e9", "\u00f0")) {
            String hidden =
                    "POST /v1/counters/smuggled/increment HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\r\n";
            String answer = exchange("GET /livez HTTP/1.1\r\nHost: x\r\nX: " + last + "\r\nContent-Length: "
                    + hidden.length() + "\r\n\r\n" + hidden);
            assertThat(answer)
                    .startsWith("HTTP/1.1 400 ")
                    .contains("The header X cannot be read")
                    .contains("Connection: close");
            assertThat(answer.split("HTTP/1.1 ")).hasSize(2);
        }
        assertThat(exchange("GET /v1/counters/smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .contains("\"value\":0");
    }

    private static void check(String probe, String answer) throws IOException {
        String what = probe.length() > 300 ? probe.substring(0, 300) + "..." : probe;
        String rest = answer;
        while (!rest.isEmpty()) {
            assertThat(rest).as(what).startsWith("HTTP/1.");
            int status = Integer.parseInt(rest.substring(9, 12));
            int head = rest.indexOf("\r\n\r\n") + 4;
            String headers = rest.substring(0, head);
            int at = headers.indexOf("Content-Length: ");
            int length = at < 0 ? 0 : Integer.parseInt(headers.substring(at + 16, headers.indexOf("\r\n", at)));
            boolean bodiless = probe.startsWith("HEAD") || at < 0;
            byte[] behind = rest.substring(head).getBytes(StandardCharsets.UTF_8);
            String body = new String(behind, 0, bodiless ? 0 : length, StandardCharsets.UTF_8);
            assertThat(status == 500 || status == 502).as("%s%n%s", what, rest).isFalse();
            if (status >= 400 && !probe.startsWith("HEAD")) {
                assertThat(headers).as(what).contains("application/problem+json");
                JsonNode problem = MAPPER.readTree(body);
                assertThat(problem.get("status").intValue()).as(what).isEqualTo(status);
                assertThat(problem.get("detail").textValue()).as(what).isNotBlank();
                assertThat(LIBRARY.matcher(problem.get("detail").textValue()).find())
                        .as("%s%n%s", what, body)
                        .isFalse();
            }
            rest = new String(
                    behind,
                    body.getBytes(StandardCharsets.UTF_8).length,
                    behind.length - body.getBytes(StandardCharsets.UTF_8).length,
                    StandardCharsets.UTF_8);
        }
    }

    @Test
    void everyRequestHasAProperAnswer() throws Exception {
        List<String> probes = probes();
        assertThat(probes).hasSizeGreaterThan(125);
        Map<String, Throwable> failures = new LinkedHashMap<>();
        for (String probe : probes) {
            String answer = exchange(probe);
            if (System.getProperty("aspas.probes") != null) {
                System.out.println(probe.substring(0, Math.min(90, probe.length()))
                                .replace("\r\n", "|") + "  =>  " + answer.substring(0, Math.min(12, answer.length()))
                        + " " + answer.replaceAll("(?s).*\"detail\":", ""));
            }
            try {
                check(probe, answer);
            } catch (AssertionError | IOException | RuntimeException wrong) {
                failures.put(probe, wrong);
            }
        }
        assertThat(failures).isEmpty();
        assertThat(exchange("GET /v1/counters/y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .contains("\"value\":0");
        assertThat(exchange(get("/livez"))).startsWith("HTTP/1.1 200 ");
    }
}
