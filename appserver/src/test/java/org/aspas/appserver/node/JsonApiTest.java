package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.TestLimits;
import org.aspas.certify.identity.Ed25519Choice;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The JSON API of one server without peers: updates, reads, and every kind of wrong request. */
class JsonApiTest {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static TestDeployment deployment;
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
        HttpLimits limits = new TestLimits()
                .bodies(2048)
                .confirmTimeout(Duration.ofMillis(100))
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

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + path);
    }

    private static HttpRequest.Builder postTo(String path, String body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return HTTP.send(postTo(path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return MAPPER.readTree(response.body());
    }

    private static void assertProblem(HttpResponse<String> response, int status, String name) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        JsonNode problem = json(response);
        assertThat(problem.get("type").textValue()).isEqualTo("urn:aspas:problem:" + name);
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(problem.get("title").textValue()).isNotEmpty();
        assertThat(problem.get("detail").textValue()).isNotEmpty();
    }

    @Test
    void nobodyIsBlacklistedWithoutProof() throws Exception {
        JsonNode blacklist = json(get("/v1/blacklist"));
        assertThat(blacklist.get("appservers")).isEmpty();
        assertThat(blacklist.get("clients")).isEmpty();
        assertProblem(get("/v1/evidence/" + "0".repeat(64)), 404, "not-found");
        assertProblem(get("/v1/evidence"), 404, "not-found");
    }

    @Test
    void countsUpAndDown() throws Exception {
        HttpResponse<String> up = post("/v1/counters/visits/increment", "{\"by\": 5}");
        assertThat(up.statusCode()).as(up.body()).isEqualTo(200);
        JsonNode answer = json(up);
        assertThat(answer.get("value").longValue()).isEqualTo(5);
        assertThat(answer.get("dot").get("origin").intValue()).isZero();
        assertThat(answer.get("version")).hasSize(4);
        assertThat(answer.get("leaf").textValue()).hasSize(64);
        assertThat(json(post("/v1/counters/visits/decrement", "")).get("value").longValue())
                .isEqualTo(4);
        assertThat(json(get("/v1/counters/visits")).get("value").longValue()).isEqualTo(4);
        assertThat(json(get("/v1/counters/untouched")).get("value").longValue()).isZero();
    }

    @Test
    void keepsSetsOfTextsNumbersAndBytes() throws Exception {
        for (String element : List.of("\"x\"", "7", "{\"base64\": \"AQI=\"}", "\"gone\"")) {
            assertThat(post("/v1/sets/a%2Fb%20%C3%A9/add", "{\"element\": " + element + "}")
                            .statusCode())
                    .isEqualTo(200);
        }
        post("/v1/sets/a%2Fb%20%C3%A9/remove", "{\"element\": \"gone\"}");
        JsonNode set = json(get("/v1/sets/a%2Fb%20%C3%A9"));
        assertThat(set.get("key").textValue()).isEqualTo("a/b é");
        assertThat(set.get("value"))
                .containsExactlyInAnyOrderElementsOf(MAPPER.readTree("[\"x\", 7, {\"base64\": \"AQI=\"}]"));
    }

    @Test
    void oneElementIsReadWithoutTheOthers() throws Exception {
        post("/v1/sets/parts/add", "{\"element\": \"a b\"}");
        post("/v1/sets/parts/add", "{\"element\": 7}");
        assertThat(json(get("/v1/sets/parts?element=%22a%20b%22")).get("value"))
                .isEqualTo(MAPPER.readTree("[\"a b\"]"));
        assertThat(json(get("/v1/sets/parts?element=7")).get("value")).isEqualTo(MAPPER.readTree("[7]"));
        assertThat(json(get("/v1/sets/parts?element=8")).get("value")).isEmpty();
        assertThat(json(get("/v1/sets/parts?element=%7B%22base64%22:%22AQI=%22%7D"))
                        .get("value"))
                .isEmpty();
        assertProblem(get("/v1/sets/parts?element=7&level=certified"), 503, "no-certificate");
        assertProblem(get("/v1/sets/parts?page=first&level=certified"), 503, "no-certificate");
        assertProblem(get("/v1/sets/parts?page=first"), 422, "bad-operation");
        assertProblem(get("/v1/counters/untouched?element=7"), 422, "unknown-parameter");
        String path = "0".repeat(64);
        for (String query : List.of(
                "element=a",
                "element=7%208",
                "element=1.5",
                "element=",
                "element=7&page=first",
                "element=7&certificate=1",
                "certificate=1",
                "page=0",
                "page=" + path.replace('0', 'F'),
                "page=" + path + "&certificate=x")) {
            assertProblem(get("/v1/sets/parts?" + query), 400, "bad-request");
        }
    }

    @Test
    void manyAtOnceWithWrongOnesAmongThem() throws Exception {
        post("/v1/sets/mixed-set/add", "{\"element\": 1}");
        List<CompletableFuture<Integer>> right = new ArrayList<>();
        List<CompletableFuture<Integer>> wrong = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            boolean bad = i % 7 == 3;
            String path = bad ? "/v1/counters/mixed-set/increment" : "/v1/counters/mixed/increment";
            (bad ? wrong : right)
                    .add(HTTP.sendAsync(postTo(path, "{\"by\": 1}").build(), HttpResponse.BodyHandlers.ofString())
                            .thenApply(HttpResponse::statusCode));
        }
        assertThat(wrong).allSatisfy(status -> assertThat(status.join()).isEqualTo(409));
        assertThat(right).allSatisfy(status -> assertThat(status.join()).isEqualTo(200));
        assertThat(json(get("/v1/counters/mixed")).get("value").longValue()).isEqualTo(right.size());
    }

    @Test
    void anUnconfirmedUpdateSaysSo() throws Exception {
        HttpResponse<String> response = post("/v1/counters/slow/increment?confirm=true", "{\"by\": 1}");
        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(json(response).get("confirmed").booleanValue()).isFalse();
        assertThat(json(response).get("value").longValue()).isEqualTo(1);
        assertThat(json(response).get("detail").textValue()).contains("answered", "no certificate", "within 100 ms");
        HttpResponse<String> brief = post("/v1/counters/slow/increment?confirm=true&fields=value,confirmed", "");
        assertThat(brief.statusCode()).isEqualTo(202);
        assertThat(json(brief)).isEqualTo(MAPPER.readTree("{\"value\": 2, \"confirmed\": false}"));
    }

    private long wrapping(String operation) throws Exception {
        String most = "{\"by\": " + Long.MAX_VALUE + "}";
        return json(post("/v1/counters/wrapping/" + operation, most))
                .get("value")
                .longValue();
    }

    @Test
    void aCounterWrapsAroundAsAllReplicasDo() throws Exception {
        assertThat(wrapping("increment")).isEqualTo(Long.MAX_VALUE);
        assertThat(wrapping("increment")).isEqualTo(-2);
        assertThat(wrapping("decrement")).isEqualTo(Long.MAX_VALUE);
        assertThat(wrapping("decrement")).isZero();
    }

    @Test
    void wrongRequestsGetProblemDocuments() throws Exception {
        post("/v1/sets/typed/add", "{\"element\": 1}");
        assertProblem(post("/v1/counters/typed/increment", "{}"), 409, "wrong-type");
        assertProblem(get("/v1/counters/typed"), 409, "wrong-type");
        for (HttpResponse<String> wrong :
                List.of(get("/v1/counters/typed"), post("/v1/counters/typed/increment", "{}"))) {
            assertThat(json(wrong).get("detail").textValue()).isEqualTo("the object is a set, not a counter");
        }
        assertProblem(post("/v1/counters/c/increment", "{\"by\": 0}"), 422, "bad-operation");
        assertProblem(post("/v1/counters/c/increment", "{\"by\": 1.5}"), 422, "bad-operation");
        assertProblem(post("/v1/counters/c/increment", "{\"by\": 99999999999999999999}"), 422, "bad-operation");
        assertProblem(post("/v1/counters/c/increment", "{\"by\""), 400, "bad-request");
        assertProblem(post("/v1/counters/c/increment", "[1]"), 400, "bad-request");
        assertProblem(post("/v1/sets/s/add", "{}"), 400, "bad-request");
        assertProblem(post("/v1/sets/s/add", "{\"element\": [1]}"), 422, "bad-operation");
        assertProblem(post("/v1/sets/s/add", "{\"element\": \"\\ud800\"}"), 400, "bad-request");
        assertProblem(post("/v1/sets/s/add", "{\"element\": \"" + "x".repeat(4000) + "\"}"), 413, "too-large");
        assertProblem(post("/v1/counters/" + "k".repeat(600) + "/increment", "{}"), 413, "too-large");
        assertProblem(get("/v1/counters/c?level=wrong"), 400, "bad-request");
        assertProblem(get("/v1/counters/c?level=certified"), 503, "no-certificate");
        assertProblem(get("/v1/certificates/newest"), 404, "not-found");
        assertProblem(get("/v1/certificates/-1"), 400, "bad-request");
        assertProblem(get("/v1/counters/c/increment"), 405, "method-not-allowed");
        assertProblem(post("/v1/counters/c", "{}"), 405, "method-not-allowed");
        assertProblem(post("/v1/counters/c/explode", "{}"), 404, "not-found");
        assertProblem(get("/v1/nothing"), 404, "not-found");
        assertProblem(get("/"), 404, "not-found");
        assertProblem(get("/v1/session"), 426, "upgrade-required");
        assertThat(post("/v1/counters/after/increment", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void tellsHowItIs() throws Exception {
        assertThat(get("/livez").body()).isEqualTo("ok\n");
        assertThat(json(get("/version")).get("name").textValue()).isEqualTo("aspas-appserver");
        assertThat(get("/readyz?verbose").body()).contains("[-]joined failed", "[+]vouches-for-state ok");
        assertThat(get("/readyz").body()).isEqualTo("not ready: too few links to other appservers (0)\n");
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        JsonNode status = json(get("/v1/status"));
        assertThat(status.get("server").intValue()).isZero();
        assertThat(status.get("tail_cut_bytes").longValue()).isZero();
        assertThat(status.get("http").get("requests").longValue()).isPositive();
        assertThat(status.get("signatures").textValue())
                .isEqualTo(Ed25519Choice.ofThisProcess().description());
        assertThat(status.get("joined").booleanValue()).isFalse();
        assertThat(status.get("links").get("handshakes_rejected").longValue()).isZero();
        assertThat(status.get("links").get("appservers_linked").longValue()).isZero();
        assertThat(post("/v1/counters/lag/increment", "{}").statusCode()).isEqualTo(200);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> json(get("/v1/status"))
                                .get("gauges")
                                .get("oldest_uncertified_own_millis")
                                .longValue()
                        > 0);
        assertThat(json(get("/v1/status"))
                        .get("gauges")
                        .get("uncertified_own_entries")
                        .longValue())
                .isPositive();
        JsonNode described = json(get("/v1/deployment"));
        assertThat(described.get("id").textValue())
                .isEqualTo(deployment.descriptor().id().toString());
        assertThat(described.get("nodes")).hasSize(8);
    }

    @Test
    void withAnUnlistedJsonClientUsersMayReadOnly() throws Exception {
        TestDeployment listed =
                TestDeployment.admitting(Set.of(TestDeployment.key(7).publicKey()));
        try (AppServer strict = AppServer.start(
                listed.descriptor(),
                1,
                listed.appserverKeys().get(1),
                AppServerOptions.defaults().withFreePorts("127.0.0.1"))) {
            String base = "http://127.0.0.1:" + strict.httpAddress().getPort() + "/v1/counters/c";
            HttpResponse<String> update = HTTP.send(
                    HttpRequest.newBuilder(URI.create(base + "/increment"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertProblem(update, 403, "unknown-client");
            HttpResponse<String> read =
                    HTTP.send(HttpRequest.newBuilder(URI.create(base)).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(read.statusCode()).isEqualTo(200);
        }
    }
}
