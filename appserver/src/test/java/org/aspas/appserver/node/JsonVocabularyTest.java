package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aspas.appserver.http.JsonAccess;
import org.aspas.appserver.http.TestLimits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The words of the JSON API: nothing is ignored, everything has one name, and several objects are asked for at once. */
class JsonVocabularyTest {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static TestDeployment deployment;
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
        server = start(0, JsonAccess.LOOPBACK);
    }

    private static AppServer start(int index, JsonAccess access) throws Exception {
        return AppServer.start(
                deployment.descriptor(),
                index,
                deployment.appserverKeys().get(index),
                AppServerOptions.defaults()
                        .withFreePorts("127.0.0.1")
                        .withHttp(new TestLimits().jsonApi(access).make()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static URI uri(AppServer at, String path) {
        return URI.create("http://127.0.0.1:" + at.httpAddress().getPort() + path);
    }

    private static HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return post(server, path, body);
    }

    private static HttpResponse<String> post(AppServer at, String path, String body)
            throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(uri(at, path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(AppServer at, String path) throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(uri(at, path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(server, path);
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return MAPPER.readTree(response.body());
    }

    private static void assertProblem(HttpResponse<String> response, int status, String name, String... words)
            throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        JsonNode problem = json(response);
        assertThat(problem.get("type").textValue()).isEqualTo("urn:aspas:problem:" + name);
        assertThat(List.of(words))
                .allSatisfy(
                        word -> assertThat(problem.get("detail").textValue()).contains(word));
    }

    @Test
    void aFieldThatIsNotKnownIsNotIgnored() throws Exception {
        assertProblem(post("/v1/counters/f/increment", "{\"amount\": 5}"), 422, "unknown-field", "'amount'", "'by'");
        assertProblem(post("/v1/counters/f/increment", "{\"by\": 5, \"x\": 1}"), 422, "unknown-field", "'x'");
        assertProblem(post("/v1/sets/g/add", "{\"value\": 5}"), 422, "unknown-field", "'element'");
        assertProblem(post("/v1/sets/g/clear", "{\"element\": 5}"), 422, "unknown-field", "it takes none");
        assertThat(json(get("/v1/counters/f")).get("value").longValue()).isZero();
    }

    @Test
    void aParameterThatIsNotKnownIsNotIgnored() throws Exception {
        String level = "level (local or certified)";
        for (String path : List.of("/v1/counters/f", "/v1/sets/f", "/v1/counters?key=f", "/v1/sets/f/size")) {
            String query = path + (path.contains("?") ? "&" : "?") + "certified=true";
            assertProblem(get(query), 422, "unknown-parameter", "'certified'", level, "proof (true or false)");
        }
        assertProblem(post("/v1/counters/f/increment?by=5", "{}"), 422, "unknown-parameter", "'by'", "confirm");
        assertProblem(get("/v1/counters/f?element=7"), 422, "unknown-parameter", "'element'");
        for (String path :
                List.of("/livez", "/version", "/openapi.yaml", "/v1/status", "/v1/deployment", "/v1/blacklist")) {
            assertProblem(get(path + "?level=local"), 422, "unknown-parameter", "'level'", "it takes none");
        }
        assertProblem(get("/readyz?x"), 422, "unknown-parameter", "'x'", "verbose");
        assertProblem(get("/v1/counters/f?level=local&level=certified"), 422, "repeated-parameter", "'level'");
        assertThat(json(get("/v1/counters/f")).get("value").longValue()).isZero();
    }

    private static List<String> fields(JsonNode answer) {
        return answer.properties().stream().map(Map.Entry::getKey).toList();
    }

    @Test
    void anAnswerHasTheFieldsThatAreWanted() throws Exception {
        JsonNode whole = json(post("/v1/counters/chosen/increment", "{\"by\": 3}"));
        assertThat(fields(whole)).contains("key", "roots", "leaf", "dot");
        JsonNode update = json(post("/v1/counters/chosen/increment?integers=text&fields=value,dot", ""));
        assertThat(fields(update)).containsExactlyInAnyOrder("value", "dot");
        assertThat(update.get("value").textValue()).isEqualTo("4");
        assertThat(get("/v1/counters/chosen?fields=value").body()).isEqualTo("{\"value\":4}");
        assertThat(get("/v1/counters/chosen?fields=value&integers=text").body()).isEqualTo("{\"value\":\"4\"}");
        assertThat(fields(json(get("/v1/counters/chosen?fields=value%2Ccertificate"))))
                .containsExactlyInAnyOrder("value", "certificate");
        assertThat(get("/v1/counters/chosen?fields=proof").body()).isEqualTo("{}");

        post("/v1/sets/chosen%2Fset/add", "{\"element\": 7}");
        assertThat(fields(json(post("/v1/sets/chosen%2Fset/clear?fields=number", ""))))
                .containsExactly("number");
        post("/v1/sets/chosen%2Fset/add", "{\"element\": 8}");
        assertThat(get("/v1/sets/chosen%2Fset?element=8&fields=value&integers=text")
                        .body())
                .isEqualTo("{\"value\":[{\"integer\":\"8\"}]}");
        assertThat(get("/v1/sets/chosen%2Fset/size?fields=size").body()).isEqualTo("{\"size\":1}");

        JsonNode objects = json(get("/v1/counters?key=chosen&key=chosen%2Fset&fields=value"))
                .get("objects");
        assertThat(objects.get(0).toString()).isEqualTo("{\"value\":4}");
        assertThat(fields(objects.get(1))).containsExactly("key", "type", "problem");
    }

    @Test
    void aFieldThatNoAnswerHasIsNotIgnored() throws Exception {
        for (String query : List.of("fields=amount", "fields=", "fields", "fields=value,", "fields=value,%20key")) {
            assertProblem(get("/v1/counters/f?" + query), 400, "bad-request", "The answer has no field '", "key, type");
            assertProblem(get("/v1/sets/f/size?" + query), 400, "bad-request", "The answer has no field '", "size");
            assertProblem(post("/v1/counters/f/increment?" + query, ""), 400, "bad-request", "confirmation");
            assertProblem(post("/v1/sets/g/add?" + query, "{\"element\": 1}"), 400, "bad-request", "confirmation");
        }
        assertProblem(get("/v1/counters?key=f&fields=amount"), 400, "bad-request", "'amount'");
        assertProblem(get("/v1/counters/f?fields=leaf"), 400, "bad-request", "'leaf'");
        assertProblem(post("/v1/counters/f/increment?fields=level", ""), 400, "bad-request", "'level'");
        assertProblem(
                post("/v1/counters/f/increment?fields=value,value", ""), 422, "repeated-parameter", "field 'value'");
        assertProblem(
                post("/v1/counters/f/increment?fields=value&fields=key", ""), 422, "repeated-parameter", "'fields'");
        assertProblem(get("/v1/objects?fields=key"), 422, "unknown-parameter", "'fields'");
        assertThat(get("/v1/counters/f?fields=value").body()).isEqualTo("{\"value\":0}");
        assertThat(get("/v1/sets/g?fields=value").body()).isEqualTo("{\"value\":[]}");
    }

    @Test
    void nothingProvesALocalRead() throws Exception {
        assertProblem(get("/v1/counters/f?proof=true"), 400, "bad-request", "level=certified");
        assertProblem(get("/v1/sets/f/size?proof=true"), 400, "bad-request", "level=certified");
        assertProblem(get("/v1/counters/f?proof=true&level=certified"), 503, "no-certificate");
        assertProblem(get("/v1/counters/f?proof=yes"), 400, "bad-request", "'yes'");
    }

    @Test
    void aSetIsCleared() throws Exception {
        post("/v1/sets/cleared/add", "{\"element\": 1}");
        post("/v1/sets/cleared/add", "{\"element\": 2}");
        assertThat(json(get("/v1/sets/cleared/size")).get("size").longValue()).isEqualTo(2);
        assertThat(post("/v1/sets/cleared/clear", "{}").statusCode()).isEqualTo(200);
        assertThat(json(get("/v1/sets/cleared")).get("value")).isEmpty();
        assertThat(post("/v1/sets/cleared/clear", "").statusCode()).isEqualTo(200);
        JsonNode size = json(get("/v1/sets/cleared/size"));
        assertThat(size.get("size").longValue()).isZero();
        assertThat(size.get("level").textValue()).isEqualTo("local");
        assertThat(size.get("version")).hasSize(4);
    }

    @Test
    void theSizeIsOfSetsOnly() throws Exception {
        post("/v1/counters/counted/increment", "{}");
        assertProblem(get("/v1/sets/counted/size"), 409, "wrong-type", "the object is a counter, not a set");
        assertThat(json(get("/v1/sets/nothing/size")).get("size").longValue()).isZero();
        assertProblem(get("/v1/sets/nothing/size?level=certified"), 503, "no-certificate");
    }

    @Test
    void severalObjectsAreReadAtOnce() throws Exception {
        post("/v1/counters/several%2Fa/increment", "{\"by\": 2}");
        post("/v1/sets/several%2Fset/add", "{\"element\": 2}");
        JsonNode objects = json(get("/v1/counters?key=several/a&key=several%2Fset&key=none"))
                .get("objects");
        assertThat(objects).hasSize(3);
        assertThat(objects.get(0).get("key").textValue()).isEqualTo("several/a");
        assertThat(objects.get(0).get("value").longValue()).isEqualTo(2);
        assertThat(objects.get(1).get("problem").get("status").intValue()).isEqualTo(409);
        assertThat(objects.get(1).get("problem").get("type").textValue()).isEqualTo("urn:aspas:problem:wrong-type");
        assertThat(objects.get(1).get("problem").get("detail").textValue())
                .isEqualTo("the object is a set, not a counter");
        assertThat(objects.get(2).get("value").longValue()).isZero();
        JsonNode sets = json(get("/v1/sets?key=several/set")).get("objects");
        assertThat(sets.get(0).get("value").get(0).longValue()).isEqualTo(2);
        assertProblem(get("/v1/counters"), 400, "bad-request", "?key=A&key=B");
        assertProblem(get("/v1/counters?key="), 400, "bad-request", "empty");
        String many = IntStream.range(0, 101).mapToObj(i -> "key=" + i).collect(Collectors.joining("&"));
        assertProblem(get("/v1/counters?" + many), 413, "too-large", "100 keys");
    }

    @Test
    void withoutACertificateNothingIsListed() throws Exception {
        post("/v1/counters/listed/increment", "{}");
        JsonNode list = json(get("/v1/objects?prefix=li"));
        assertThat(list.get("objects")).isEmpty();
        assertThat(list.get("certificate").longValue()).isZero();
        assertThat(list.has("next")).isFalse();
        assertProblem(get("/v1/objects?page=first&certificate=7"), 410, "moved-on");
        assertProblem(get("/v1/objects?page=x"), 400, "bad-request");
    }

    /** In what tells how a server is. Link counters and operations are named by others, and follow the same rule. */
    @Test
    void allNamesAreInOneCase() throws Exception {
        Deque<JsonNode> nodes = new ArrayDeque<>(List.of(json(get("/v1/status")), json(get("/v1/deployment"))));
        List<String> names = new ArrayList<>();
        while (!nodes.isEmpty()) {
            JsonNode node = nodes.remove();
            node.forEach(nodes::add);
            node.properties().stream().map(Map.Entry::getKey).forEach(names::add);
        }
        assertThat(names).hasSizeGreaterThan(80).contains("caught_up", "public_key_operations", "links");
        assertThat(names.stream().filter(name -> !name.matches("[a-z0-9_]+")).distinct())
                .containsExactly("publicKeyOperations");
    }

    @Test
    void theVersionIsThatOfTheBuild() throws Exception {
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<version>" + json(get("/version")).get("version").textValue() + "</version>");
    }

    @Test
    void theJsonApiMayBeOff() throws Exception {
        try (AppServer off = start(1, JsonAccess.OFF)) {
            for (String path : List.of("/v1/counters/c", "/v1/sets?key=c", "/v1/objects", "/v1/watch?key=c")) {
                assertProblem(get(off, path), 403, "json-api-off", "--json-api");
            }
            assertProblem(post(off, "/v1/counters/c/increment", "{}"), 403, "json-api-off");
            assertThat(get(off, "/v1/status").statusCode()).isEqualTo(200);
            assertThat(get(off, "/livez").statusCode()).isEqualTo(200);
            assertProblem(get(off, "/v1/certificates/newest"), 404, "not-found");
        }
    }

    @Test
    void theDescriptionIsServed() throws Exception {
        HttpResponse<String> description = get("/openapi.yaml");
        assertThat(description.headers().firstValue("Content-Type").orElse("")).startsWith("application/yaml");
        assertThat(description.body()).startsWith("openapi: 3.1.");
    }
}
