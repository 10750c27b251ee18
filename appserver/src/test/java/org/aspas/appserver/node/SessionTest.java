package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorSystem;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.Tick;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** WebSocket sessions with one server without peers, and starting and ending servers. */
class SessionTest {
    private static final AtomicLong SEEDS = new AtomicLong(1000);
    private static TestDeployment deployment;
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
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

    private static SocketClient connect() throws InterruptedException {
        SocketClient client = new SocketClient(
                server.httpAddress(),
                TestDeployment.key(SEEDS.incrementAndGet()),
                deployment.descriptor().id());
        Hello hello = client.next(Hello.class);
        assertThat(hello.deployment()).isEqualTo(deployment.descriptor().id());
        assertThat(hello.server()).isZero();
        return client;
    }

    private static SocketClient session() throws InterruptedException {
        SocketClient client = connect();
        client.sendSigned(new OpenSession(client.id, 1, OpenSession.UNBOUNDED));
        assertThat(client.next(Answer.class).response().message().reference()).isZero();
        return client;
    }

    /** The server still serves, on this connection and on new ones. */
    private static void assertServes() throws InterruptedException {
        SocketClient client = session();
        client.sendSigned(client.increment(1, "still"));
        assertThat(client.next(Answer.class).response().message().reference()).isEqualTo(1);
        client.abort();
    }

    @Test
    void pipelinedUpdatesAreAnsweredInOrder() throws Exception {
        SocketClient client = session();
        for (int number = 1; number <= 50; number++) {
            client.sendSigned(client.increment(number, "pipelined"));
        }
        for (int number = 1; number <= 50; number++) {
            Answer answer = client.next(Answer.class);
            Response response = answer.response().message();
            assertThat(response.reference()).isEqualTo(number);
            assertThat(response.result()).isEqualTo(Value.of(number));
            assertThat(answer.response()
                            .verify(
                                    deployment.descriptor().verifier(),
                                    deployment.appserverKeys().get(0).publicKey(),
                                    Sealer.domainOf(response)))
                    .isTrue();
        }
        client.send(new Read(9, "pipelined", "pn-counter", false, CertificateNumber.NONE));
        assertThat(client.next(Answer.class).response().message().result()).isEqualTo(Value.of(50));
        client.send(new GetCertificate(CertificateNumber.NONE));
        assertThat(client.next(CertificateReply.class).certificate()).isNull();
        client.abort();
    }

    private static void assertRefusedAndClosed(SocketClient client) throws InterruptedException {
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.MALFORMED);
        client.awaitClosed();
        assertServes();
    }

    @Test
    void aMalformedFrameEndsItsConnection() throws Exception {
        long before = server.httpCounts().malformedFrames();
        SocketClient client = connect();
        client.send(new byte[] {1, 2, 3});
        assertRefusedAndClosed(client);
        assertThat(server.httpCounts().malformedFrames()).isGreaterThan(before);
    }

    @Test
    void aMessageThatNoClientSendsEndsItsConnection() throws Exception {
        SocketClient client = connect();
        client.send(new Hello(deployment.descriptor().id(), 0));
        assertRefusedAndClosed(client);
        SocketClient other = connect();
        other.sendSigned(new Tick(0, 1));
        assertRefusedAndClosed(other);
    }

    @Test
    void anOversizedFrameEndsItsConnection() throws Exception {
        SocketClient client = connect();
        client.send(new byte[deployment.descriptor().limits().clientFrameBytes() + 1]);
        assertRefusedAndClosed(client);
        assertThat(server.httpCounts().oversizedFrames()).isPositive();
    }

    @Test
    void aTextFrameEndsItsConnection() throws Exception {
        SocketClient client = connect();
        client.sendText("hello");
        assertRefusedAndClosed(client);
        assertThat(server.httpCounts().textFrames()).isPositive();
    }

    @Test
    void aWrongSignatureIsRefused() throws Exception {
        SocketClient client = session();
        Sealer stranger =
                new Sealer(TestDeployment.key(5), deployment.descriptor().id());
        client.send(org.aspas.certify.wire.Codec.encode(stranger.seal(client.increment(1, "forged"))));
        Refusal refusal = client.next(Refusal.class);
        assertThat(refusal.reason()).isEqualTo(Reason.BAD_SIGNATURE);
        assertThat(refusal.reference()).isEqualTo(1);
        client.sendSigned(client.increment(1, "forged"));
        assertThat(client.next(Answer.class).response().message().result()).isEqualTo(Value.of(1));
        client.abort();
    }

    @Test
    void wrongUpdatesAreRefusedOneByOne() throws Exception {
        SocketClient client = connect();
        client.sendSigned(client.increment(1, "early"));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.NO_SESSION);
        client.sendSigned(new OpenSession(client.id, 1, 1));
        client.next(Answer.class);
        client.sendSigned(client.increment(2, "gap"));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.BEHIND);
        client.sendSigned(client.increment(1, "first"));
        long sequence = client.next(Answer.class).response().message().dot().sequence();
        client.sendSigned(client.increment(1, "first"));
        assertThat(client.next(Answer.class).response().message().dot().sequence())
                .isEqualTo(sequence);
        client.send(new Read(1, "first", "aw-set", false, CertificateNumber.NONE));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.WRONG_TYPE);
        client.send(new Read(2, "first", "no-such-type", false, CertificateNumber.NONE));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.WRONG_TYPE);
        client.send(new Read(3, "first", "pn-counter", true, CertificateNumber.NONE));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.NO_CERTIFICATE);
        client.sendSigned(client.increment(1, "second"));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.NUMBER_REUSED);
        client.sendSigned(client.increment(1, "first"));
        assertThat(client.next(Refusal.class).reason()).isEqualTo(Reason.EXCLUDED);
        client.abort();
        assertServes();
    }

    @Test
    void standingInspectionAndComplaintsNeedNoSession() throws Exception {
        SocketClient owner = session();
        Signed<Request> request = owner.sealer.seal(owner.increment(1, "asked"));
        owner.send(Codec.encode(request));
        Signed<Response> answer = owner.next(Answer.class).response();
        SocketClient client = connect();
        client.sendSigned(new AskStanding(client.id, 1, List.of(new AskStanding.Named(1, request.identity()))));
        assertThat(client.next(Standing.class).updates()).containsExactly(new Standing.Held(1, null));
        client.sendSigned(new Inspect(client.id, 2, answer, Question.of(request)));
        assertThat(client.next(InspectReply.class).outcome()).isEqualTo(InspectReply.Outcome.MATCH);
        client.sendSigned(new Complain(client.id, 3, new ClientEquivocation(request, request)));
        assertThat(client.next(Blacklist.class).finding()).isEqualTo(Blacklist.Finding.FALSE);
        Sealer stranger =
                new Sealer(TestDeployment.key(5), deployment.descriptor().id());
        client.send(Codec.encode(stranger.seal(new Inspect(client.id, 4, answer, Question.of(request)))));
        assertThat(client.next(Refusal.class))
                .extracting(Refusal::reason, Refusal::reference, Refusal::read)
                .containsExactly(Reason.BAD_SIGNATURE, 4L, true);
        client.abort();
        owner.abort();
    }

    @Test
    void anUnlistedClientIsRefused() throws Exception {
        SigningKey known = TestDeployment.key(7);
        TestDeployment listed = TestDeployment.admitting(Set.of(known.publicKey()));
        try (AppServer strict = AppServer.start(
                listed.descriptor(),
                2,
                listed.appserverKeys().get(2),
                AppServerOptions.defaults().withFreePorts("127.0.0.1"))) {
            SocketClient stranger = new SocketClient(
                    strict.httpAddress(),
                    TestDeployment.key(8),
                    listed.descriptor().id());
            stranger.next(Hello.class);
            stranger.sendSigned(new OpenSession(stranger.id, 1, 1));
            assertThat(stranger.next(Refusal.class).reason()).isEqualTo(Reason.UNKNOWN_CLIENT);
            SocketClient friend = new SocketClient(
                    strict.httpAddress(), known, listed.descriptor().id());
            friend.next(Hello.class);
            friend.sendSigned(new OpenSession(friend.id, 1, 1));
            friend.next(Answer.class);
        }
    }

    @Test
    void aTakenPortIsOneClearError() throws Exception {
        AppServerOptions free = AppServerOptions.defaults().withFreePorts("127.0.0.1");
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getByName("127.0.0.1"))) {
            InetSocketAddress busy = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
            InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
            assertThatThrownBy(() -> start(free.withAddresses(any, busy)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("127.0.0.1:" + busy.getPort())
                    .message()
                    .doesNotContain("\n");
            assertThatThrownBy(() -> start(free.withAddresses(busy, any)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("127.0.0.1:" + busy.getPort());
        }
        assertThatThrownBy(() -> AppServer.start(deployment.descriptor(), 3, TestDeployment.key(9), free))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("appserver-3");
    }

    /** Its tags would be wrong for ever, and nobody would know why. */
    @Test
    void anotherAgreementKeyThanItsOwnIsOneClearError() throws Exception {
        AppServerOptions free = AppServerOptions.defaults().withFreePorts("127.0.0.1");
        TestDeployment right =
                TestDeployment.agreeing(key -> AgreementKey.ofServer(key).share());
        AppServer.start(right.descriptor(), 3, right.appserverKeys().get(3), free)
                .close();
        TestDeployment wrong = TestDeployment.agreeing(
                key -> AgreementKey.of(key.publicKey().toBytes()).share());
        assertThatThrownBy(() -> AppServer.start(
                        wrong.descriptor(), 3, wrong.appserverKeys().get(3), free))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("another agreementKey for appserver-3")
                .hasMessageContaining(
                        AgreementKey.ofServer(wrong.appserverKeys().get(3))
                                .share()
                                .toString());
    }

    private static void start(AppServerOptions options) throws StartException {
        AppServer.start(deployment.descriptor(), 3, deployment.appserverKeys().get(3), options)
                .close();
    }

    @Test
    void aClosedServerHasReleasedEverything() throws Exception {
        ActorSystem shared = AkkaSystem.create("shared");
        try {
            AppServerOptions options =
                    AppServerOptions.defaults().withSystem(shared).withFreePorts("127.0.0.1");
            AppServer first = AppServer.start(
                    deployment.descriptor(), 1, deployment.appserverKeys().get(1), options);
            SocketClient client = new SocketClient(
                    first.httpAddress(),
                    TestDeployment.key(11),
                    deployment.descriptor().id());
            client.next(Hello.class);
            InetSocketAddress links = first.linkAddress();
            InetSocketAddress clients = first.httpAddress();
            first.close();
            client.awaitClosed();
            AppServer second = AppServer.start(
                    deployment.descriptor(),
                    1,
                    deployment.appserverKeys().get(1),
                    options.withAddresses(links, clients));
            assertThat(second.status()
                            .toCompletableFuture()
                            .get(300, TimeUnit.SECONDS)
                            .certificate())
                    .isEqualTo(CertificateNumber.NONE);
            second.close();
            first.close();
        } finally {
            shared.terminate();
            shared.getWhenTerminated().toCompletableFuture().get(300, TimeUnit.SECONDS);
        }
    }
}
