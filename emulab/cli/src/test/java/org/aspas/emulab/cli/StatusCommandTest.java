package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code aspas status} makes of what servers tell of themselves; in their places stand servers that say what a test wants. */
class StatusCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;

    private final List<HttpServer> servers = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private static FreePorts ports;

    private static String lab = "";

    @BeforeAll
    static void init() throws IOException {
        ports = FreePorts.choose();
        lab = folder.resolve("lab").toString();
        assertThat(CommandRun.of(ports.init(lab)).exit()).isZero();
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    /** A server's status as long as nothing is wrong with it. */
    private ObjectNode healthy(int index) throws DeploymentDirectory.UnusableDirectory {
        String deployment =
                new DeploymentDirectory(Path.of(lab)).descriptor().id().toString();
        return JSON.createObjectNode()
                .put("server", index)
                .put("deployment", deployment)
                .put("joined", true)
                .put("ready", true)
                .put("certificate", 7);
    }

    /** Servers of another deployment exclude nobody of this one, whatever they say. */
    @Test
    void aBlacklistOfAnotherDeploymentIsNone() throws Exception {
        serve(0, healthy(0).put("deployment", "0123456789".repeat(6) + "abcd"));
        servers.get(0).createContext("/v1/blacklist", exchange -> {
            byte[] body = "{\"appservers\":[],\"clients\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        CommandRun run = CommandRun.of("blacklist", "--dir", lab);
        assertThat(run.exit()).as(run.out()).isEqualTo(3);
        assertThat(run.out())
                .contains("appserver-0: another deployment answers at ", ": 01234567, not ")
                .doesNotContain("nobody is excluded");
    }

    private void serve(int index, ObjectNode status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", ports.clientPort(index)), 0);
        server.createContext("/v1/status", exchange -> {
            byte[] body = status.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
    }

    /** The table of the appservers, with what is wrong with them. */
    private static List<String> servers(CommandRun status) {
        return status.out().lines().takeWhile(line -> !line.isEmpty()).toList();
    }

    @Test
    void bftserversThatNobodyIsLinkedToAreShown() throws Exception {
        ObjectNode telling = healthy(0);
        telling.putArray("linked").add("appserver-1").add("bftserver-2");
        serve(0, telling);
        try (ServerSocket listening =
                new ServerSocket(ports.bftservers().get(1), 8, InetAddress.getByName("127.0.0.1"))) {
            JsonNode rows = JSON.readTree(
                    CommandRun.of("status", "--dir", lab, "--json").out());
            assertThat(listening.isBound()).isTrue();
            assertThat(rows.path("bftservers").findValuesAsText("state"))
                    .containsExactly("unreachable", "listens", "linked", "unreachable");
            assertThat(rows.at("/bftservers/2/linked_by").asInt()).isEqualTo(1);
            assertThat(rows.at("/bftservers/2/asked").asInt()).isEqualTo(1);
        }
        assertThat(CommandRun.of("status", "--dir", lab).out()).containsPattern("bftserver-2 +linked +1 of 1");
    }

    @Test
    void whatIsWrongWithAServerStandsInWordsBelowTheTable() throws Exception {
        serve(0, healthy(0));
        serve(1, healthy(1).put("degraded", "no certificate for 42 s although entries wait"));
        serve(2, healthy(2).put("ready", false).put("why", "certificate 7 excludes it"));
        serve(3, healthy(3).put("joined", false));
        CommandRun run = CommandRun.of("status", "--dir", lab);
        assertThat(run.exit()).as(run.errors()).isZero();
        List<String> lines = servers(run);
        assertThat(lines.subList(1, 5).stream().map(line -> line.split(" +")[1]))
                .containsExactly("ready", "degraded", "alarm", "joining");
        assertThat(lines.subList(5, lines.size()))
                .containsExactly(
                        "appserver-1: no certificate for 42 s although entries wait",
                        "appserver-2: certificate 7 excludes it");
        JsonNode rows =
                JSON.readTree(CommandRun.of("status", "--dir", lab, "--json").out());
        assertThat(rows.at("/servers/1/state").asText()).isEqualTo("degraded");
        assertThat(rows.at("/servers/1/reachable").asBoolean()).isTrue();
        assertThat(rows.at("/servers/1/status/degraded").asText()).startsWith("no certificate for 42 s");
    }

    @Test
    void aServerThatMayHaveForgottenAndOneThatHasNotHeardTheOthersHaveStatesOfTheirOwn() throws Exception {
        serve(0, healthy(0).put("ready", false).put("state", "amnesiac").put("why", "there is no store"));
        serve(1, healthy(1).put("ready", false).put("state", "joining"));
        serve(2, healthy(2).put("state", "serving"));
        serve(3, healthy(3).put("ready", false).put("state", "excluded").put("why", "certificate 7 excludes it"));
        List<String> lines = servers(CommandRun.of("status", "--dir", lab));
        assertThat(lines.subList(1, 5).stream().map(line -> line.split(" +")[1]))
                .containsExactly("amnesiac", "joining", "ready", "alarm");
        assertThat(lines.subList(5, lines.size()))
                .containsExactly("appserver-0: there is no store", "appserver-3: certificate 7 excludes it");
    }

    @Test
    void whatAStartCutOffStandsBelowTheTable() throws Exception {
        for (int index = 0; index < 4; index++) {
            serve(index, healthy(index).put("tail_cut_bytes", index == 2 ? 117 : 0));
        }
        List<String> lines = servers(CommandRun.of("status", "--dir", lab));
        assertThat(lines.subList(5, lines.size()))
                .containsExactly("appserver-2: tail cut: at its start it cut off 117 bytes of an interrupted write");
    }

    @Test
    void aTableWithoutTroubleIsATableOnly() throws Exception {
        for (int index = 0; index < 4; index++) {
            serve(index, healthy(index));
        }
        assertThat(servers(CommandRun.of("status", "--dir", lab))).hasSize(5);
    }

    @Test
    void howLongCertificationTakesFromStepToStepStandsInATableOfItsOwn() throws Exception {
        for (int index = 0; index < 4; index++) {
            serve(index, healthy(index));
        }
        servers.remove(1).stop(0);
        ObjectNode telling = healthy(1);
        ObjectNode gauges = telling.putObject("gauges");
        for (String step : List.of("broadcast", "whole")) {
            gauges.put("lag_" + step + "_count", 9)
                    .put("lag_" + step + "_mean_micros", 5_100)
                    .put("lag_" + step + "_p50_micros", 4_600)
                    .put("lag_" + step + "_p99_micros", 21_300);
        }
        serve(1, telling);
        List<String> lines = CommandRun.of("status", "--dir", lab).out().lines().toList();
        assertThat(lines.subList(8, lines.size())).first().asString().isEmpty();
        assertThat(lines.get(6))
                .startsWith("STEPS p50/p99, ms")
                .contains("BROADCAST")
                .endsWith("WHOLE");
        assertThat(lines.get(7)).matches("appserver-1 +ready +5/21 +0/0 +0/0 +0/0 +0/0 +0/0 +5/21");
        JsonNode rows =
                JSON.readTree(CommandRun.of("status", "--dir", lab, "--json").out());
        assertThat(rows.at("/servers/1/lag_steps_ms/broadcast/p50").asDouble()).isEqualTo(4.6);
        assertThat(rows.at("/servers/1/lag_steps_ms/whole/count").asLong()).isEqualTo(9);
        assertThat(rows.at("/servers/0/lag_steps_ms").isEmpty()).isTrue();
        assertThat(CommandRun.of("status", "--dir", lab, "--clients").out().lines())
                .hasSize(5);
    }

    @Test
    void aServerWhoseDiskTakesNothingSaysSo() throws Exception {
        for (int index = 0; index < 4; index++) {
            serve(index, index == 2 ? healthy(2).put("disk", "No space left on device") : healthy(index));
        }
        CommandRun run = CommandRun.of("status", "--dir", lab);
        assertThat(run.exit()).as(run.errors()).isZero();
        assertThat(run.out()).containsPattern("appserver-2 +disk").contains("appserver-2: No space left on device");
    }
}
