package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server whose door strangers crowd still serves everybody else. */
class CrowdedDoorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int CONNECTIONS = 48;
    private static final int STRANGERS = 16;
    private static TestDeployment deployment;
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
        HttpLimits limits = new TestLimits().places(CONNECTIONS, STRANGERS).make();
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

    private static SocketClient connect(long seed) throws InterruptedException {
        SocketClient client = new SocketClient(
                server.httpAddress(),
                TestDeployment.key(seed),
                deployment.descriptor().id());
        client.next(Hello.class);
        return client;
    }

    private static SocketClient session(long seed) throws InterruptedException {
        SocketClient client = connect(seed);
        client.sendSigned(new OpenSession(client.id, 1, OpenSession.UNBOUNDED));
        client.next(Answer.class);
        return client;
    }

    @Test
    void idleStrangersMakeRoom() throws Exception {
        SocketClient early = session(2_000);
        List<SocketClient> idle = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS + CONNECTIONS / 2; i++) {
            idle.add(connect(3_000 + i));
        }
        for (SocketClient gone : idle.subList(0, idle.size() - STRANGERS)) {
            gone.awaitClosed();
        }
        assertThat(server.httpCounts().strangersEnded()).isEqualTo(idle.size() - STRANGERS);
        assertThat(idle.subList(idle.size() - STRANGERS, idle.size()))
                .allSatisfy(here -> assertThat(here.closed).isNotDone());
        early.sendSigned(early.increment(1, "crowded"));
        assertThat(early.next(Answer.class).response().message().result()).isEqualTo(Value.of(1));
        List<SocketClient> sessions = new ArrayList<>();
        for (int i = 0; i < STRANGERS + 2; i++) {
            sessions.add(session(4_000 + i));
        }
        SocketClient reader = connect(5_000);
        reader.send(new Read(1, "crowded", "pn-counter", false, CertificateNumber.NONE));
        assertThat(reader.next(Answer.class).response().message().result()).isEqualTo(Value.of(1));
        reader.sendSigned(new AskStanding(reader.id, 2, List.of()));
        reader.next(Standing.class);
        assertThat(sessions).allSatisfy(here -> assertThat(here.closed).isNotDone());
        idle.forEach(SocketClient::abort);
        sessions.forEach(SocketClient::abort);
        reader.abort();
        early.abort();
        await().atMost(PATIENCE)
                .until(() -> server.httpCounts().sessionsOpened()
                        == server.httpCounts().sessionsClosed());
    }

    /** A thousand forgeries are looked at one after another, for a minute; everybody else is answered meanwhile. */
    @Test
    void forgeriesHoldUpOnlyWhoSendsThem() throws Exception {
        int forgeries = 1_000;
        long before = server.httpCounts().badSignatures();
        SocketClient forger = connect(7_000);
        Request request = forger.increment(1, "crowded");
        byte[] forged = Codec.encode(new Signed<>(request, Codec.encode(request), new byte[Ed25519.SIGNATURE_LENGTH]));
        for (int i = 0; i < forgeries; i++) {
            forger.send(forged);
        }
        assertThat(forger.next(Refusal.class).reason()).isEqualTo(Reason.BAD_SIGNATURE);
        SocketClient client = session(7_001);
        client.sendSigned(client.increment(1, "uncrowded"));
        assertThat(client.next(Answer.class).response().message().result()).isEqualTo(Value.of(1));
        assertThat(server.httpCounts().badSignatures() - before).isBetween(1L, forgeries - 1L);
        forger.abort();
        client.abort();
    }

    /** Whoever repeats itself is answered each time, and waits a little for it. */
    @Test
    void repetitionsAreAnsweredAsBefore() throws Exception {
        SocketClient client = session(7_002);
        for (int i = 0; i < 20; i++) {
            client.sendSigned(client.increment(1, "repeated"));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(client.next(Answer.class).response().message().result()).isEqualTo(Value.of(1));
        }
        client.abort();
    }

    @Test
    void aRequestThatIsTooLongIsRefusedAtTheDoor() throws Exception {
        SocketClient client = session(6_000);
        int most = deployment.descriptor().limits().operationBytes()
                + deployment.descriptor().limits().keyBytes();
        client.sendSigned(new Request(
                client.id, 1, "s", "aw-set", Operation.of("add", Value.of("x".repeat(most + 300)))));
        Refusal refusal = client.next(Refusal.class);
        assertThat(refusal.reason()).isEqualTo(Reason.TOO_LARGE);
        assertThat(refusal.reference()).isEqualTo(1);
        assertThat(server.status().toCompletableFuture().join().counters()).doesNotContainKey("refused_too_large");
        Request longest = new Request(client.id, 1, "s", "aw-set", Operation.of("add", Value.of("x".repeat(2_000))));
        client.send(Codec.encode(client.sealer.seal(longest)));
        assertThat(client.next(Answer.class).response().message().reference()).isEqualTo(1);
        client.abort();
    }

    /** More than a stranger may read at once, by many users of the JSON API. */
    @Test
    void usersOfTheJsonApiDoNotShareAStrangersAllowance() {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        URI uri = URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + "/v1/counters/c");
        List<CompletableFuture<Integer>> reads = new ArrayList<>();
        for (int round = 0; round < 40; round++) {
            List<CompletableFuture<Integer>> some = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                some.add(http.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                        .thenApply(HttpResponse::statusCode));
            }
            some.forEach(CompletableFuture::join);
            reads.addAll(some);
        }
        assertThat(reads).allSatisfy(status -> assertThat(status.join()).isEqualTo(200));
    }
}
