package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The texts of {@code docs/vectors/texts.json} at the HTTP door, sent as they are on bare sockets, and integers beyond 2^53. */
class HttpTextsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int PATIENCE_MILLIS = 60_000;
    private static final long BEYOND_DOUBLES = 9_007_199_254_740_993L;

    /** By the reason of a case, the status and words of the answer. */
    private static final Map<String, String> WORDS = Map.of(
            "empty", "at least one character",
            "too-long", "at most",
            "empty-segment", "empty segment",
            "dot-segment", "a segment '.",
            "bad-escape", "two hexadecimal digits",
            "not-utf8", "is not text in UTF-8",
            "lone-surrogate", "is not text in UTF-8");

    private static JsonNode cases;
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        cases = MAPPER.readTree(Path.of("../docs/vectors/texts.json").toFile());
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults().withFreePorts("127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Answer(int status, JsonNode body) {
        String detail() {
            return body.path("detail").asText();
        }
    }

    private static Answer ask(String method, String target, byte[] body) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.httpAddress().getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            String type = method.equals("POST")
                    ? "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n"
                    : "";
            request.write((method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + type + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            request.write(body);
            socket.getOutputStream().write(request.toByteArray());
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(
                    Integer.parseInt(answer.substring(9, 12)),
                    MAPPER.readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4)));
        }
    }

    private static Answer get(String target) throws IOException {
        return ask("GET", target, new byte[0]);
    }

    private static Answer post(String target, String body) throws IOException {
        return ask("POST", target, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String repeated(JsonNode pair) {
        return pair.get(0).textValue().repeat(pair.get(1).intValue());
    }

    /** UTF-8, and for half of a surrogate pair the three bytes that somebody who forgets to check would write. */
    private static byte[] bytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(point -> {
            boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            bytes.writeBytes(
                    lone
                            ? new byte[] {
                                (byte) (0xE0 | point >> 12),
                                (byte) (0x80 | point >> 6 & 0x3F),
                                (byte) (0x80 | point & 0x3F)
                            }
                            : Character.toString(point).getBytes(StandardCharsets.UTF_8));
        });
        return bytes.toByteArray();
    }

    private static String encoded(byte[] bytes) {
        StringBuilder encoded = new StringBuilder();
        for (byte one : bytes) {
            encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(one));
        }
        return encoded.toString();
    }

    private static void assertRefused(JsonNode one, Answer answer) {
        assertThat(answer.status()).as("%s: %s", one, answer.body()).isBetween(400, 422);
        assertThat(answer.body().path("type").asText()).startsWith("urn:aspas:problem:");
        String reason = one.get("reason").textValue();
        assertThat(answer.detail()).as(one.toString()).contains(WORDS.getOrDefault(reason, ""));
        if (reason.equals("not-utf8") || reason.equals("lone-surrogate")) {
            assertThat(answer.status()).as(one.toString()).isEqualTo(400);
        }
    }

    @Test
    void keysInPathsAndQueries() throws Exception {
        int tried = 0;
        for (JsonNode one : cases.get("keys")) {
            if (one.has("json")) {
                continue; // A key in a URI is text.
            }
            byte[] key = one.has("hex")
                    ? HexFormat.of().parseHex(one.get("hex").textValue())
                    : bytes(
                            one.has("repeat")
                                    ? repeated(one.get("repeat"))
                                    : one.get("text").textValue());
            String path = "/v1/counters/" + encoded(key);
            Answer update = post(path + "/increment", "{\"by\":1}");
            Answer read = get(path);
            Answer several = get("/v1/counters?key=" + encoded(key));
            if (one.get("valid").booleanValue()) {
                assertThat(update.status()).as("%s: %s", one, update.body()).isEqualTo(200);
                byte[] named = read.body().get("key").textValue().getBytes(StandardCharsets.UTF_8);
                assertThat(named).as(one.toString()).isEqualTo(key);
                assertThat(read.body().get("value").longValue())
                        .as(one.toString())
                        .isPositive();
                assertThat(several.body().at("/objects/0/value"))
                        .as(one.toString())
                        .isEqualTo(read.body().get("value"));
            } else {
                assertRefused(one, update);
                assertRefused(one, read);
                assertRefused(one, several);
            }
            tried++;
        }
        assertThat(tried).isGreaterThan(60);
    }

    private static String json(JsonNode one) {
        if (one.has("int")) {
            return one.get("int").textValue();
        }
        if (one.has("text")) {
            return one.get("text").toString();
        }
        if (one.has("repeat")) {
            return JsonNodeFactory.instance
                    .textNode(repeated(one.get("repeat")))
                    .toString();
        }
        if (one.has("json")) {
            return one.get("json").toString();
        }
        byte[] bytes = HexFormat.of()
                .parseHex(one.has("bytes") ? one.get("bytes").textValue() : repeated(one.get("repeatBytes")));
        return "{\"base64\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}";
    }

    /** As a program writes it that escapes what is not ASCII. */
    @Test
    void halfOfASurrogatePairIsRefusedAsAnEscapeToo() throws Exception {
        for (JsonNode one : cases.get("elements")) {
            if (one.path("reason").asText().equals("lone-surrogate")) {
                StringBuilder escaped = new StringBuilder("\"");
                for (char unit : one.get("text").textValue().toCharArray()) {
                    escaped.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
                String element = escaped.append('"').toString();
                assertRefused(one, post("/v1/sets/escaped/add", "{\"element\":" + element + "}"));
                assertRefused(one, get("/v1/sets/escaped?element=" + encoded(bytes(element))));
            }
        }
    }

    @Test
    void elementsInBodiesAndQueries() throws Exception {
        int number = 0;
        for (JsonNode one : cases.get("elements")) {
            String set = "/v1/sets/elements%2F" + number++;
            String element = json(one);
            byte[] sent = bytes("{\"element\":" + element + "}");
            Answer update = ask("POST", set + "/add", sent);
            Answer asked = get(set + "?element=" + encoded(bytes(element)));
            if (one.get("valid").booleanValue()) {
                assertThat(update.status()).as("%s: %s", one, update.body()).isEqualTo(200);
                assertThat(asked.body().path("value"))
                        .as("%s: %s", one, asked.body())
                        .hasSize(1);
                JsonNode value = get(set + "?integers=text").body().get("value");
                assertThat(value).as(one.toString()).hasSize(1);
                Answer removed = post(set + "/remove", "{\"element\":" + value.get(0) + "}");
                assertThat(removed.status()).as(one.toString()).isEqualTo(200);
                assertThat(get(set).body().get("value")).as(one.toString()).isEmpty();
            } else {
                assertRefused(one, update);
                assertThat(get(set).body().get("value")).as(one.toString()).isEmpty();
                if (!one.get("reason").textValue().equals("too-long")) {
                    assertRefused(one, asked);
                }
            }
        }
        assertThat(number).isGreaterThan(40);
    }

    @Test
    void paths() throws Exception {
        int tried = 0;
        for (JsonNode one : cases.get("paths")) {
            String path = one.get("path").textValue() + (one.has("then") ? repeated(one.get("then")) : "");
            Answer answer = one.path("method").asText("GET").equals("POST") ? post(path, "{}") : get(path);
            if (one.get("valid").booleanValue()) {
                assertThat(answer.status()).as("%s: %s", one, answer.body()).isEqualTo(200);
                if (one.has("keys")) {
                    assertThat(answer.body().get("objects"))
                            .extracting(object -> object.get("key"))
                            .containsExactlyElementsOf(one.get("keys"));
                } else {
                    String key = one.has("keyRepeat")
                            ? repeated(one.get("keyRepeat"))
                            : one.get("key").textValue();
                    assertThat(answer.body().get("key").textValue())
                            .as(one.toString())
                            .isEqualTo(key);
                }
            } else {
                assertRefused(one, answer);
            }
            tried++;
        }
        assertThat(tried).isGreaterThan(60);
    }

    /** What a reader makes of a number whose only numbers are doubles. */
    private static long asDouble(JsonNode number) {
        return (long) Double.parseDouble(number.toString());
    }

    @Test
    void integersOfAllBitsSurviveReadersWithDoubles() throws Exception {
        String integer = "{\"integer\":\"" + BEYOND_DOUBLES + "\"}";
        JsonNode updated = post("/v1/counters/wide/increment?integers=text", "{\"by\":" + integer + "}")
                .body();
        assertThat(updated.get("value").textValue()).isEqualTo(Long.toString(BEYOND_DOUBLES));
        JsonNode number = get("/v1/counters/wide").body().get("value");
        assertThat(number.longValue()).isEqualTo(BEYOND_DOUBLES);
        assertThat(asDouble(number)).isNotEqualTo(BEYOND_DOUBLES);
        assertThat(get("/v1/counters/wide?integers=text").body().get("value").textValue())
                .isEqualTo(Long.toString(BEYOND_DOUBLES));
        assertThat(get("/v1/counters?key=wide&integers=text")
                        .body()
                        .at("/objects/0/value")
                        .textValue())
                .isEqualTo(Long.toString(BEYOND_DOUBLES));

        post("/v1/sets/wide-set/add", "{\"element\":" + integer + "}");
        JsonNode element = get("/v1/sets/wide-set?integers=text").body().at("/value/0");
        assertThat(element).isEqualTo(MAPPER.readTree(integer));
        assertThat(get("/v1/sets/wide-set").body().at("/value/0").longValue()).isEqualTo(BEYOND_DOUBLES);
        String asked = encoded(element.toString().getBytes(StandardCharsets.UTF_8));
        assertThat(get("/v1/sets/wide-set?integers=text&element=" + asked)
                        .body()
                        .get("value"))
                .containsExactly(element);
        post("/v1/sets/wide-set/remove", "{\"element\":" + element + "}");
        assertThat(get("/v1/sets/wide-set").body().get("value")).isEmpty();
        assertThat(get("/v1/counters/wide?integers=words").status()).isEqualTo(400);
    }

    @Test
    void anIntegerInWordsHasOneForm() throws Exception {
        for (String wrong : new String[] {
            "007", "-0", "+7", " 7", "7.0", "1e3", "", "9223372036854775808", "-9223372036854775809", "٧"
        }) {
            Answer answer = post("/v1/sets/one-form/add", "{\"element\":{\"integer\":\"" + wrong + "\"}}");
            assertThat(answer.status()).as("'%s': %s", wrong, answer.body()).isEqualTo(422);
        }
        for (String wrong :
                new String[] {"{\"integer\":7}", "{\"integer\":\"7\",\"base64\":\"Nw==\"}", "{\"Integer\":\"7\"}"}) {
            assertThat(post("/v1/sets/one-form/add", "{\"element\":" + wrong + "}")
                            .status())
                    .as(wrong)
                    .isEqualTo(422);
        }
        for (String right : new String[] {"0", "7", "-7", "9223372036854775807", "-9223372036854775808"}) {
            Answer answer = post("/v1/sets/one-form/add", "{\"element\":{\"integer\":\"" + right + "\"}}");
            assertThat(answer.status()).as("'%s': %s", right, answer.body()).isEqualTo(200);
        }
        assertThat(get("/v1/sets/one-form").body().get("value")).hasSize(5);
    }

    @Test
    void aWatchTellsIntegersAsTextsToWhoWantsThem() throws Exception {
        post("/v1/counters/watched-wide/increment", "{\"by\":{\"integer\":\"" + BEYOND_DOUBLES + "\"}}");
        try (Socket socket = new Socket("127.0.0.1", server.httpAddress().getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write("GET /v1/watch?key=watched-wide&integers=text HTTP/1.0\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            StringBuilder told = new StringBuilder();
            while (told.indexOf("\"value\":\"" + BEYOND_DOUBLES + "\"") < 0) {
                int next = socket.getInputStream().read();
                assertThat(next).as(told.toString()).isNotNegative();
                told.append((char) next);
            }
            post("/v1/counters/watched-wide/increment", "{\"by\":1}");
            while (told.indexOf("\"value\":\"" + (BEYOND_DOUBLES + 1) + "\"") < 0) {
                int next = socket.getInputStream().read();
                assertThat(next).as(told.toString()).isNotNegative();
                told.append((char) next);
            }
        }
    }
}
