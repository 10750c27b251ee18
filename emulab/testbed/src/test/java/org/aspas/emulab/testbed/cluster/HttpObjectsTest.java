package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Role;
import org.aspas.client.core.CertificateCheck;
import org.aspas.client.core.ReadProof;
import org.aspas.client.core.ReadProofCheck;
import org.aspas.crdt.value.Value;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a deployment with certificates answers over HTTP: proofs that verify, lists, sizes and streams. */
@Timeout(900)
class HttpObjectsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start(new org.aspas.certify.identity.Quorums(1, 1));
        cluster.awaitReady(PATIENCE);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static JsonNode get(int server, String path) throws Exception {
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(cluster.address(server).resolve(path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private static void post(String path, String body) throws Exception {
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(cluster.address(0).resolve(path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    /** Waits until a server has a value under a certificate. */
    private static JsonNode await(int server, String path, String pointer, long value) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> get(server, path), answer -> answer.at(pointer).asLong(-1) == value);
    }

    private static ReadProof proof(JsonNode answer) {
        byte[] bytes = Base64.getDecoder().decode(answer.get("proof").textValue());
        ReadProof proof = ReadProof.of(bytes).orElseThrow();
        assertThat(verified(proof)).isEmpty();
        for (int flipped = 0; flipped < bytes.length; flipped += 101) {
            byte[] other = bytes.clone();
            other[flipped] ^= 1;
            assertThat(ReadProof.of(other)
                            .filter(one -> verified(one).isEmpty())
                            .filter(one -> !one.value().equals(proof.value()))
                            .filter(one -> one.read().key().equals(proof.read().key())))
                    .as("byte %d", flipped)
                    .isEmpty();
        }
        return proof;
    }

    /** What is wrong with a proof, judged with the descriptor alone. */
    private static Optional<String> verified(ReadProof proof) {
        return ReadProofCheck.check(
                proof,
                certificate -> verifier()
                        .verify(certificate)
                        .<CertificateCheck.Verdict>map(CertificateCheck.Verdict.Wrong::new)
                        .orElseGet(() -> new CertificateCheck.Verdict.Genuine(certificate)));
    }

    private static CertificateVerifier verifier() {
        Descriptor descriptor = cluster.descriptor();
        return new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
    }

    @Test
    void aCertifiedReadHasItsProof() throws Exception {
        post("/v1/counters/proved/increment?confirm=true", "{\"by\": 7}");
        for (int server = 0; server < cluster.appservers(); server++) {
            JsonNode answer = await(server, "/v1/counters/proved?level=certified&proof=true", "/value", 7);
            assertThat(proof(answer).value()).isEqualTo(Value.of(7));
        }
        assertThat(proof(get(1, "/v1/counters/absent?level=certified&proof=true"))
                        .value())
                .isEqualTo(Value.of(0));
        JsonNode several = get(2, "/v1/counters?key=proved&key=absent&level=certified&proof=true");
        several.get("objects")
                .forEach(one -> assertThat(proof(one).read().key())
                        .isEqualTo(one.get("key").textValue()));
        assertThat(get(0, "/v1/counters/proved?level=certified").has("proof")).isFalse();
        JsonNode chosen = get(2, "/v1/counters/proved?level=certified&proof=true&integers=text&fields=proof,value");
        assertThat(chosen).hasSize(2);
        assertThat(chosen.get("value").textValue()).isEqualTo("7");
        assertThat(proof(chosen).value()).isEqualTo(Value.of(7));
    }

    @Test
    void aSetHasProofsOfElementsPagesAndItsSize() throws Exception {
        for (int i = 0; i < 5; i++) {
            post("/v1/sets/parts/add", "{\"element\": " + i + "}");
        }
        await(1, "/v1/sets/parts/size?level=certified", "/size", 5);
        String certified = "level=certified&proof=true";
        JsonNode size = get(1, "/v1/sets/parts/size?" + certified);
        assertThat(size.get("size").longValue()).isEqualTo(5);
        assertThat(size.has("value")).isFalse();
        assertThat(get(1, "/v1/sets/parts/size?fields=size&level=certified").toString())
                .isEqualTo("{\"size\":5}");
        assertThat(get(1, "/v1/sets/parts?page=first&level=certified&fields=elements")
                        .toString())
                .startsWith("{\"elements\":{\"certificate\":");
        ReadProof ofSize = proof(size);
        assertThat(ofSize.answer().proof().elements().size()).isEqualTo(5);
        JsonNode there = get(1, "/v1/sets/parts?element=3&" + certified);
        assertThat(proof(there).value()).isEqualTo(Value.sequence(java.util.List.of(Value.of(3))));
        JsonNode absent = get(1, "/v1/sets/parts?element=9&" + certified);
        assertThat(proof(absent).value()).isEqualTo(Value.sequence(java.util.List.of()));
        JsonNode page = get(1, "/v1/sets/parts?page=first&" + certified);
        assertThat(page.get("value")).hasSize(5);
        proof(page);
        long certificate = page.at("/elements/certificate").longValue();
        post("/v1/sets/parts/clear?confirm=true", "{}");
        JsonNode old =
                get(1, "/v1/sets/parts?page=" + "0".repeat(64) + "&certificate=" + certificate + "&" + certified);
        assertThat(old.get("value")).hasSize(5);
        assertThat(proof(old).answer().certificate().number().value()).isEqualTo(certificate);
        await(1, "/v1/sets/parts/size?level=certified", "/size", 0);
    }

    @Test
    void objectsAreListedByTheirPrefix() throws Exception {
        for (int i = 0; i < 150; i++) {
            post("/v1/counters/list%2F" + i + "/increment", "{\"by\": " + (i + 1) + "}");
        }
        post("/v1/sets/list%2Fset/add?confirm=true", "{\"element\": \"e\"}");
        await(3, "/v1/sets/list%2Fset/size?level=certified", "/size", 1);
        await(3, "/v1/counters/list%2F149?level=certified", "/value", 150);
        Set<String> found = new TreeSet<>();
        JsonNode page = get(3, "/v1/objects?prefix=list/");
        while (true) {
            for (JsonNode one : page.get("objects")) {
                String key = one.get("key").textValue();
                assertThat(found.add(key)).isTrue();
                if (key.equals("list/set")) {
                    assertThat(one.get("size").longValue()).isEqualTo(1);
                } else {
                    assertThat(one.get("value").longValue()).isEqualTo(Long.parseLong(key.substring(5)) + 1);
                }
            }
            if (!page.has("next")) {
                break;
            }
            page = get(
                    3,
                    "/v1/objects?prefix=list/&page=" + page.get("next").textValue() + "&certificate="
                            + page.get("certificate").longValue());
        }
        assertThat(found).hasSize(151).allMatch(key -> key.startsWith("list/"));
    }

    @Test
    void aStreamTellsOfCertificatesToo() throws Exception {
        HttpResponse<InputStream> response = HTTP.send(
                HttpRequest.newBuilder(cluster.address(2).resolve("/v1/watch?key=watched"))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        post("/v1/counters/watched/increment", "{\"by\": 4}");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            JsonNode local = next(lines, "local", 4);
            assertThat(local.get("server").intValue()).isEqualTo(2);
            assertThat(local.get("version")).hasSize(4);
            JsonNode certified = next(lines, "certified", 4);
            assertThat(certified.get("certificate").longValue()).isPositive();
        }
    }

    private static JsonNode next(BufferedReader lines, String event, long value) throws IOException {
        String name = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            name = line.startsWith("event: ") ? line.substring(7) : name;
            if (line.startsWith("data: ") && name.equals(event)) {
                JsonNode data = new ObjectMapper().readTree(line.substring(6));
                if (data.path("value").asLong(-1) == value) {
                    return data;
                }
            }
        }
        throw new IOException("the stream has ended");
    }
}
