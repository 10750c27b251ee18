package org.aspas.emulab.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.emulab.console.demo.LiveDemo;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real cluster with real clients, looked at and attacked through its console's HTTP interface alone. */
class LiveDemoTest {
    private static final int BAD = 3;

    private LiveDemo demo;
    private PageClient page;

    @BeforeEach
    void start() throws Exception {
        demo = LiveDemo.start(LiveDemoOptions.usual(new Quorums(1, 1), aws5(), 10, 1));
        page = new PageClient(demo.address()).listen();
    }

    private static WorldMap aws5() throws MalformedFileException {
        return WorldReader.read("aws5", ShippedWorlds.file("aws5").orElseThrow(), Roles::isServer);
    }

    @AfterEach
    void stop() {
        page.close();
        demo.close();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(300)).pollInterval(Duration.ofMillis(100));
    }

    @Test
    void thePageSeesValuesMeetMovesTauAndCatchesALiar() throws Exception {
        sitesNodesAndRolesAreTold();
        valuesMeetAndCertificatesCome();
        aCarefulUpdateTakesAsLongAsItsConfirmationAndQueuesBehindNoOther();
        tauMovesTheWaitingLine();
        aLiarIsProvedAndExcludedAndNothingIsLost();
        theProofConvincesWhoHasTheDescriptorAlone();
        aStoppedServerComesBack();
    }

    private void sitesNodesAndRolesAreTold() {
        eventually().until(() -> page.first("hello", any -> true).isPresent());
        JsonNode hello = page.first("hello", any -> true).orElseThrow();
        assertThat(page.events().get(0).name()).isEqualTo("hello");
        assertThat(hello.path("mode").asText()).isEqualTo("demo");
        assertThat(hello.path("topology").path("sites")).hasSize(5);
        assertThat(hello.path("topology").path("links")).hasSize(10);
        assertThat(hello.path("topology")
                        .path("links")
                        .get(0)
                        .path("oneWayMillis")
                        .asDouble())
                .isEqualTo(36.1);
        assertThat(hello.path("roles").size()).isGreaterThan(20);
        eventually()
                .until(() -> page.newest("nodes")
                        .filter(nodes -> StreamSupport.stream(
                                        nodes.path("nodes").spliterator(), false)
                                .allMatch(node -> node.path("state").asText().equals("running")))
                        .isPresent());
        assertThat(page.newest("nodes").orElseThrow().path("nodes")).hasSize(8);
    }

    private void valuesMeetAndCertificatesCome() throws Exception {
        eventually().until(() -> page.all("certificate").size() > 2);
        eventually()
                .until(() ->
                        page.first("values", LiveDemoTest::hasACertifiedValue).isPresent());
        eventually()
                .until(() -> page.first(
                                "operations", one -> !one.path("samples").isEmpty())
                        .isPresent());
        eventually()
                .until(() -> page.first(
                                "lag",
                                one -> one.path("steps").get(6).path("count").asLong() > 0)
                        .isPresent());
        JsonNode told = page.all("certificate").get(0);
        Decoded<Certificate> certificate =
                Codec.decode(page.get(told.path("url").asText()).body(), Certificate.class);
        Descriptor descriptor = descriptor();
        assertThat(certificate)
                .isInstanceOfSatisfying(
                        Decoded.Accepted.class,
                        accepted -> assertThat(new CertificateVerifier(
                                                descriptor.quorums(),
                                                descriptor.keys(Role.BFTSERVER),
                                                descriptor.verifier())
                                        .verify((Certificate) accepted.value()))
                                .isEmpty());
    }

    private static boolean hasACertifiedValue(JsonNode values) {
        JsonNode one = values.path("keys").get(0).path("servers").get(0);
        return one.path("certified").asLong() > 0
                && one.path("local").asLong() >= one.path("certified").asLong();
    }

    private Descriptor descriptor() throws Exception {
        byte[] signature = HexFormat.of().parseHex(text("api/deployment.json.sig"));
        PublicKey operator = PublicKey.read(HexFormat.of().parseHex(text("api/operator.pub")))
                .orElseThrow();
        return new DescriptorFile(page.get("api/deployment.json").body(), signature).open(operator);
    }

    private String text(String path) throws Exception {
        return new String(page.get(path).body(), StandardCharsets.UTF_8).strip();
    }

    private JsonNode classNow(String id) {
        JsonNode classes = page.newest("classes").orElseThrow().path("classes");
        return StreamSupport.stream(classes.spliterator(), false)
                .filter(one -> one.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /**
     * What a visitor learns first: with τ = 1 an update takes one answer and one confirmation, and not what a queue before it takes. Both
     * figures are means over all that the page was told.
     */
    private void aCarefulUpdateTakesAsLongAsItsConfirmationAndQueuesBehindNoOther() {
        eventually().until(() -> carefulAnswers() >= 20 && lags().count() >= 5);
        double lag = lags().average().orElseThrow();
        assertThat(carefulMillis())
                .as("an update with τ = 1, while the mean time from answer to confirmation is %.0f ms", lag)
                .isBetween(0.4 * lag, 2 * lag + 500);
        for (PageClient.PageEvent event : page.events()) {
            event.data()
                    .path("classes")
                    .forEach(one -> assertThat(one.path("waiting").asInt())
                            .as("waiting %s clients", one.path("label").asText())
                            .isLessThanOrEqualTo(2 * one.path("clients").asInt()));
        }
    }

    /** The careful class at each tick in which one of its updates was answered. */
    private Stream<JsonNode> careful() {
        return page.all("classes").stream()
                .map(event -> event.path("classes").get(0))
                .filter(one -> one.path("answered").asLong() > 0);
    }

    private long carefulAnswers() {
        return careful().mapToLong(one -> one.path("answered").asLong()).sum();
    }

    private double carefulMillis() {
        return careful()
                        .mapToDouble(one -> one.path("answered").asLong()
                                * one.path("answerMillis").asDouble())
                        .sum()
                / carefulAnswers();
    }

    /** The mean time from answer to confirmation, each time that some update was confirmed. */
    private DoubleStream lags() {
        return page.all("lag").stream()
                .map(event -> event.path("steps").get(6))
                .filter(whole -> whole.path("count").asLong() > 0)
                .mapToDouble(whole -> whole.path("mean").asDouble());
    }

    /** The fast clients wait once they tolerate one, and never have more than one unconfirmed; without a bound they do not wait. */
    private void tauMovesTheWaitingLine() throws Exception {
        eventually().until(() -> page.newest("classes").isPresent());
        eventually().until(() -> classNow("c").path("exposure").asInt() > 1);
        assertThat(page.act("tau", "{\"class\":\"c\",\"tau\":1}").statusCode()).isEqualTo(200);
        eventually()
                .until(() -> classNow("c").path("waiting").asInt() > 0
                        && classNow("c").path("exposure").asInt() == 1);
        assertThat(page.act("tau", "{\"class\":\"c\",\"tau\":null}").statusCode())
                .isEqualTo(200);
        eventually()
                .until(() -> classNow("c").path("waiting").asInt() == 0
                        && classNow("c").path("exposure").asInt() > 1);
        assertThat(page.act("tau", "{\"class\":\"c\",\"tau\":0}").statusCode()).isEqualTo(422);
        assertThat(page.act("tau", "{\"class\":\"z\",\"tau\":1}").statusCode()).isEqualTo(404);
        assertThat(page.act("tau", "{\"class\":\"c\"}").statusCode()).isEqualTo(422);
        assertThat(page.act("tau", "{\"class\":\"c\",\"tau\":1,\"x\":1}").statusCode())
                .isEqualTo(422);
        assertThat(page.act("tau", "[]").statusCode()).isEqualTo(400);
    }

    private void aLiarIsProvedAndExcludedAndNothingIsLost() throws Exception {
        String bad = "appserver-" + BAD;
        String order = "{\"server\":\"" + bad + "\",\"role\":\"forking\"}";
        assertThat(page.act("corrupt", order).statusCode()).isEqualTo(200);
        eventually().until(() -> page.hasStory("corrupted"));
        assertThat(page.act("corrupt", "{\"server\":\"appserver-0\",\"role\":\"mute\"}")
                        .statusCode())
                .isEqualTo(409);
        for (String kind : new String[] {"misdeed", "proof", "verdict", "excluded", "whole"}) {
            eventually().untilAsserted(() -> assertThat(page.stories()).contains(kind));
        }
        eventually().until(() -> page.hasStory("switched"));
        assertThat(page.hasStory("wrong")).isFalse();
        eventually()
                .until(() -> page.newest("attack")
                        .filter(attack -> attack.path("open").asLong(-1) == 0
                                && attack.path("excluded").isNumber()
                                && attack.path("wrong").asLong() == 0
                                && attack.path("switched").asLong() > 0)
                        .isPresent());
        assertThat(page.first(
                        "certificate",
                        one -> one.path("exclusions").size() == 1
                                && one.path("exclusions")
                                        .get(0)
                                        .path("server")
                                        .asText()
                                        .equals(bad)))
                .isPresent();
    }

    private void theProofConvincesWhoHasTheDescriptorAlone() throws Exception {
        JsonNode line = page.first("story", one -> one.path("kind").asText().equals("proof"))
                .orElseThrow();
        String hash = line.path("proof").asText();
        JsonNode told = page.first("proof", one -> one.path("hash").asText().equals(hash))
                .orElseThrow();
        byte[] bytes = page.get(told.path("url").asText()).body();
        assertThat(bytes).hasSize(told.path("bytes").asInt());
        Evidence evidence = ((Decoded.Accepted<Evidence>) Codec.decode(bytes, Evidence.class)).value();
        assertThat(Digests.evidence(evidence)).hasToString(hash);
        assertThat(evidence.accused()).isEqualTo(new Accused.Server(BAD));
        assertThat(EvidenceJudge.of(descriptor()).judge(evidence)).isInstanceOf(Judgement.Guilty.class);
    }

    private void aStoppedServerComesBack() throws Exception {
        String one = "{\"node\":\"appserver-1\"}";
        assertThat(page.act("stop", one).statusCode()).isEqualTo(200);
        eventually().until(() -> state("appserver-1").equals("stopped"));
        assertThat(page.act("freeze", one).statusCode()).isEqualTo(409);
        assertThat(page.act("start", one).statusCode()).isEqualTo(200);
        eventually().until(() -> state("appserver-1").equals("running"));
        assertThat(page.hasStory("problem")).isFalse();
    }

    private String state(String node) {
        JsonNode nodes = page.newest("nodes").orElseThrow().path("nodes");
        return StreamSupport.stream(nodes.spliterator(), false)
                .filter(one -> one.path("name").asText().equals(node))
                .map(one -> one.path("state").asText())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPartitionAndAFrozenServerAreSeenAndEnd() throws Exception {
        eventually().until(() -> page.all("certificate").size() > 1);
        String cut = "{\"groups\":[[\"ap-southeast-1\"],[\"eu-west-1\",\"ca-central-1\",\"us-west-1\",\"sa-east-1\"]]}";
        assertThat(page.act("partition", cut).statusCode()).isEqualTo(200);
        eventually().until(() -> gap(3) > 20);
        assertThat(page.act("heal", "{}").statusCode()).isEqualTo(200);
        eventually().until(() -> gap(3) <= 20);
        String node = "{\"node\":\"appserver-2\"}";
        assertThat(page.act("freeze", node).statusCode()).isEqualTo(200);
        eventually().until(() -> state("appserver-2").equals("frozen"));
        assertThat(page.act("stop", node).statusCode()).isEqualTo(409);
        assertThat(page.act("freeze", "{\"node\":\"bftserver-0\"}").statusCode())
                .isEqualTo(409);
        eventually().until(() -> delivered(0) - delivered(2) > 50);
        assertThat(page.act("thaw", node).statusCode()).isEqualTo(200);
        eventually().until(() -> state("appserver-2").equals("running") && delivered(0) - delivered(2) < 30);
        assertThat(page.act("partition", "{\"groups\":[[\"nowhere\"],[\"eu-west-1\"]]}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(page.act("partition", "{\"groups\":[[\"eu-west-1\"]]}").statusCode())
                .isEqualTo(422);
    }

    private JsonNode node(int server) {
        return page.newest("nodes").orElseThrow().path("nodes").get(server);
    }

    private long delivered(int server) {
        return node(server).path("delivered").asLong();
    }

    /** How many entries a server lacks of those that the first one has. */
    private long gap(int server) {
        return Math.abs(delivered(0) - delivered(server));
    }
}
