package org.aspas.emulab.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of Gatling against all servers of a deployment, which are a process of their own on real sockets. */
class GatlingCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static OwnServers servers;

    @BeforeAll
    static void startServers() throws IOException {
        if (System.getProperty(OwnServers.LAUNCHER) == null) {
            System.setProperty(
                    OwnServers.LAUNCHER,
                    Path.of("../../aspas").toAbsolutePath().normalize().toString());
        }
        servers = OwnServers.start(null);
    }

    @AfterAll
    static void stopServers() throws IOException {
        servers.close();
    }

    private static int run(String... options) {
        return GatlingCommand.run(
                Stream.concat(Stream.of("--results", folder.resolve("results").toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    private static String deployment() {
        return servers.descriptor().toString();
    }

    private static JsonNode read(Path json) throws IOException {
        return JSON.readTree(json.toFile());
    }

    @Test
    void usersOfTheClientsProtocolVerifyEveryAnswer() throws IOException {
        Path json = folder.resolve("websocket.json");
        int code = run(
                "--descriptor",
                deployment(),
                "--users=8",
                "--seconds=6",
                "--warmup=1",
                "--pace=50",
                "--tau=1=10,3=40,unbounded=50",
                "--payload=4096",
                "--json=" + json);
        assertThat(code).isZero();
        JsonNode report = read(json);
        assertThat(report.get("assertions_held").booleanValue()).isTrue();
        assertThat(report.get("errors").longValue()).isZero();
        assertThat(report.at("/updates/ok").longValue()).isPositive();
        assertThat(report.at("/reads/ok").longValue()).isPositive();
        assertThat(report.at("/updates/p99_ms").intValue())
                .isGreaterThanOrEqualTo(report.at("/updates/p50_ms").intValue());
        JsonNode verified = report.get("verified");
        assertThat(verified.get("sessions").longValue()).isEqualTo(8);
        assertThat(verified.get("answers").longValue())
                .isGreaterThanOrEqualTo(report.get("operations").longValue());
        assertThat(verified.get("confirmations").longValue()).isPositive();
        assertThat(verified.get("failures").longValue()).isZero();
        assertThat(Path.of(URI.create(report.get("page").textValue()))).exists();
    }

    @Test
    void visitsOverHttpAndAnAssertionThatDoesNotHold() throws IOException {
        Path json = folder.resolve("http.json");
        int code = run(
                "--descriptor",
                deployment(),
                "--transport=http",
                "--rate=4",
                "--operations=5",
                "--seconds=4",
                "--warmup=1",
                "--p99=1",
                "--mix=a",
                "--json=" + json);
        assertThat(code).isEqualTo(2);
        JsonNode report = read(json);
        assertThat(report.get("assertions_held").booleanValue()).isFalse();
        assertThat(report.get("errors").longValue()).isZero();
        assertThat(report.get("operations").longValue()).isPositive();
        assertThat(report.get("verified").isNull()).isTrue();
    }

    @Test
    void aServerThatLiesIsCountedAsKo() throws IOException {
        Path json = folder.resolve("lies.json");
        // Three of twelve visits go to the liar, with 60 updates, of which it answers three in ten wrongly.
        int code = run(
                "--byzantine=wrong-entries",
                "--rate=3",
                "--operations=20",
                "--seconds=4",
                "--warmup=0",
                "--mix=update",
                "--json=" + json);
        assertThat(code).isEqualTo(2);
        JsonNode report = read(json);
        long wrong = report.at("/verified/failures").longValue();
        assertThat(wrong).isPositive();
        assertThat(report.get("errors").longValue()).isPositive().isLessThanOrEqualTo(wrong);
        assertThat(report.at("/verified/answers").longValue()).isGreaterThan(wrong);
        assertThat(report.at("/gatling/errors").toString()).contains("verification failed: LEAF");
    }

    @Test
    void serversThatAreNotThereAreCountedAsKo() throws IOException {
        Path json = folder.resolve("nobody.json");
        int code = run(
                "--transport=http",
                "--base-url=http://127.0.0.1:9",
                "--users=2",
                "--seconds=2",
                "--warmup=0",
                "--json=" + json);
        assertThat(code).isEqualTo(2);
        JsonNode report = read(json);
        assertThat(report.get("operations").longValue()).isZero();
        // Users rest after a failure, so that these are few.
        assertThat(report.get("errors").longValue()).isBetween(2L, 20L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--users 0",
                "--users 10 --rate 5",
                "--transport http --tau 5",
                "--tau some",
                "--base-url http://localhost:1",
                "--payload 5",
                "--errors 101",
                "--descriptor /nowhere/deployment.json",
                "--base-url http://localhost:1 --transport http --byzantine forking",
                "--nonsense"
            })
    void wrongUsageIsExitCode1(String options) {
        assertThat(run(options.split(" "))).isEqualTo(1);
    }
}
