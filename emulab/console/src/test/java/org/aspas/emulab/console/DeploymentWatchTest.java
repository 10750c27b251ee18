package org.aspas.emulab.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Evidence;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.console.remote.DeploymentWatch;
import org.aspas.emulab.console.remote.WatchOptions;
import org.aspas.emulab.testbed.attack.AttackController;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A console over servers that it reaches by their sockets alone. */
class DeploymentWatchTest {
    private static final int BAD = 3;
    private static final int CLIENTS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private final AttackController stage = new AttackController(4, 1);
    private final List<AspasClient> clients = new ArrayList<>();
    private Cluster cluster;
    private DeploymentWatch watch;
    private PageClient page;

    @BeforeEach
    void start() throws Exception {
        cluster = Cluster.start(
                new Quorums(1, 1),
                StorageOptions.NOTHING.with(Durability.OS).options().withMachines(stage::machine));
        cluster.awaitReady(PATIENCE);
        watch = DeploymentWatch.start(new WatchOptions(
                cluster.descriptor(),
                cluster.deployment().file(),
                cluster.deployment().operator().publicKey(),
                ServerTrust.usual(),
                List.of("likes"),
                null,
                null));
        page = new PageClient(watch.address()).listen();
        for (int number = 0; number < CLIENTS; number++) {
            AspasClient client = cluster.client(
                    number % 2 == 0 ? BAD : number / 2,
                    // On a busy machine, one that leaves for a doubt would leave the bad server nobody to fork.
                    ClientOptions.defaults().withPatience(PATIENCE, PATIENCE));
            clients.add(client);
            stage.watch(number, client);
        }
    }

    @AfterEach
    void stop() {
        page.close();
        watch.close();
        clients.forEach(AspasClient::close);
        cluster.close();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200));
    }

    private boolean writeUntil(boolean done) {
        if (!done) {
            clients.forEach(client -> client.counter("likes").increment(1));
        }
        return done;
    }

    private String state(String node) {
        return page.newest("nodes").stream()
                .flatMap(nodes -> StreamSupport.stream(nodes.path("nodes").spliterator(), false))
                .filter(one -> one.path("name").asText().equals(node))
                .map(one -> one.path("state").asText())
                .findFirst()
                .orElse("");
    }

    @Test
    void aDeploymentIsShownAndNothingIsChanged() throws Exception {
        eventually().until(() -> writeUntil(page.all("certificate").size() > 1));
        eventually()
                .until(() -> page.first("values", values -> certified(values, 0) > 0 && certified(values, 2) > 0)
                        .isPresent());
        JsonNode hello = page.first("hello", any -> true).orElseThrow();
        assertThat(hello.path("mode").asText()).isEqualTo("deployment");
        assertThat(hello.path("readOnly").asBoolean()).isTrue();
        assertThat(hello.path("topology").path("sites")).hasSize(4);
        assertThat(page.act("stop", "{\"node\":\"appserver-1\"}").statusCode()).isEqualTo(403);
        assertThat(state("appserver-1")).isEqualTo("running");
        cluster.stopAppserver(1);
        eventually().until(() -> state("appserver-1").equals("unreachable"));
        assertThat(state("appserver-0")).isEqualTo("running");
    }

    private static long certified(JsonNode values, int server) {
        return values.path("keys")
                .path(0)
                .path("servers")
                .path(server)
                .path("certified")
                .asLong();
    }

    @Test
    void aConvictionIsShownWithItsProof() throws Exception {
        eventually().until(() -> writeUntil(page.all("certificate").size() > 1));
        stage.corrupt(cluster, BAD, "forking", PATIENCE);
        eventually().until(() -> writeUntil(page.hasStory("excluded") && page.hasStory("proof")));
        eventually().until(() -> state("appserver-" + BAD).equals("excluded"));
        JsonNode told = page.newest("proof").orElseThrow();
        assertThat(told.path("accused").asText()).isEqualTo("appserver-" + BAD);
        Evidence evidence = Codec.decode(page.get(told.path("url").asText()).body(), Evidence.class)
                .accepted()
                .orElseThrow();
        assertThat(EvidenceJudge.of(cluster.descriptor()).judge(evidence)).isInstanceOf(Judgement.Guilty.class);
    }
}
