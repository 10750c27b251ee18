package org.aspas.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.ScriptedServer;
import org.aspas.client.ScriptedWorld;
import org.aspas.client.ScriptedWorld.Fault;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.client.net.WebSocketTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client on real sockets among four scripted servers, of which the first is not what it should be. */
class SwitchingClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final SigningKey KEY = ScriptedServer.key(1);

    private final ClientResources resources = ClientResources.create(2);
    private final List<ScriptedWebSocketServer> servers = new ArrayList<>();
    private final List<ClientEvent> events = new CopyOnWriteArrayList<>();
    private final List<ClientEvent.Revoked> undone = new CopyOnWriteArrayList<>();
    private Descriptor descriptor;
    private ScriptedWorld world;

    @BeforeEach
    void deploy() throws Exception {
        SigningKey operator = ScriptedServer.key(250);
        List<NodeDescription> nodes = new ArrayList<>();
        for (int i = 0; i < ScriptedServer.SERVERS; i++) {
            nodes.add(new NodeDescription(
                    NodeId.appserver(i), ScriptedServer.serverKey(i).publicKey(), "localhost", 0, 1, new byte[0]));
            nodes.add(new NodeDescription(
                    NodeId.bftserver(i), ScriptedServer.BFT_KEYS.get(i).publicKey(), "localhost", 0, 1, new byte[] {1
                    }));
        }
        descriptor = DescriptorFile.sign(operator, "test", ScriptedServer.QUORUMS, nodes, Set.of(), Limits.DEFAULT)
                .open(operator.publicKey());
        world = new ScriptedWorld(descriptor.id(), new ClientId(KEY.publicKey()));
        for (int i = 0; i < ScriptedServer.SERVERS; i++) {
            servers.add(new ScriptedWebSocketServer(world, i));
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (ScriptedWebSocketServer server : servers) {
            server.close();
        }
        resources.close();
    }

    private AspasClient client(Duration patience) {
        ClientOptions options = ClientOptions.defaults()
                .withEphemeralKey()
                .withResources(resources)
                .withSeed(5)
                .withInspection(1, 1_000)
                .withPatience(patience, patience)
                .withOnRevoked(undone::add)
                .withTransport((index, real) -> new WebSocketTransport(
                        resources.http(),
                        URI.create("ws://127.0.0.1:" + servers.get(index).port() + "/v1/session"),
                        Duration.ofSeconds(30),
                        1 << 20,
                        1_000));
        AspasClient client = AspasClient.connect(descriptor, KEY, 0, options);
        client.events(events::add);
        return client;
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private void spread() {
        synchronized (world) {
            world.spread();
        }
    }

    private void certify() {
        synchronized (world) {
            world.spread();
            world.certify();
        }
        servers.forEach(ScriptedWebSocketServer::confirm);
    }

    private void awaitConfirmed(Update... updates) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
            certify();
            for (Update update : updates) {
                if (!update.confirmed().toCompletableFuture().isDone()) {
                    return false;
                }
            }
            return true;
        });
        synchronized (world) {
            assertThat(world.certified("a")).isEqualTo(updates.length);
        }
    }

    private Why why() {
        return events.stream()
                .filter(ClientEvent.Switched.class::isInstance)
                .map(event -> ((ClientEvent.Switched) event).why())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void convictsAServerThatAnswersWrongly() throws Exception {
        world.servers.get(0).faults.add(Fault.WRONG_VALUE);
        try (AspasClient client = client(PATIENCE)) {
            Update update = client.counter("a").increment(1);
            assertThat(get(update.answered()).number()).isEqualTo(1);
            await().atMost(PATIENCE).until(() -> {
                spread();
                return events.stream()
                        .anyMatch(event -> event instanceof ClientEvent.Convicted convicted && convicted.server() == 0);
            });
            awaitConfirmed(update, client.counter("a").increment(1));
            assertThat(client.server()).isNotZero();
            assertThat(client.statistics().inspections()).isPositive();
        }
    }

    @Test
    void turnsToAnotherServerWhenItsOwnIsGone() throws Exception {
        try (AspasClient client = client(Duration.ofMillis(500))) {
            Update first = client.counter("a").increment(1);
            get(first.answered());
            spread();
            servers.get(0).close();
            Update second = client.counter("a").increment(1);
            awaitConfirmed(first, second);
            // Each of these notices it, and which one is first depends on the machine.
            assertThat(why()).isIn(Why.UNREACHABLE, Why.UNANSWERED, Why.NOT_INSPECTABLE, Why.NOT_SPREAD, Why.WITHHELD);
            assertThat(client.statistics().switches()).isPositive();
        }
    }

    @Test
    void rollsBackWhatAnExcludedServerHadAnswered() throws Exception {
        try (AspasClient client = client(PATIENCE)) {
            Update first = client.counter("a").increment(1);
            get(first.answered());
            awaitConfirmed(first);
            Update second = client.counter("a").increment(1);
            get(second.answered());
            synchronized (world) {
                world.exclude(0);
            }
            awaitConfirmed(first, second);
            assertThat(undone).hasSize(1);
            assertThat(why()).isEqualTo(Why.CONVICTED);
            await().atMost(PATIENCE).until(() -> events.stream().anyMatch(ClientEvent.RolledBack.class::isInstance));
        }
    }
}
