package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What greedy clients, and lies that are told to be missed, cost a server; every deployment has a fixed seed. */
class FloodTest {
    private static final String COUNTER = "pn-counter";

    private final Deployment world = new Deployment(23);

    private static Operation increment(long amount) {
        return Operation.of("increment", Value.of(amount));
    }

    private TestClient writer(int index, int server, int updates) {
        TestClient client = world.client(index, server);
        client.open();
        for (int i = 0; i < updates; i++) {
            client.update("c", COUNTER, increment(1));
        }
        world.run(600);
        return client;
    }

    private List<Exclusion> exclusions(int server) {
        return world.cores
                .get(server)
                .newestCertificate()
                .orElseThrow()
                .content()
                .exclusions();
    }

    private long counted(int server, String name) {
        return world.cores.get(server).status().counters().getOrDefault(name, 0L);
    }

    @Test
    void readsWithoutASessionHaveARate() {
        TestClient stranger = world.client(1, 0);
        for (int i = 0; i < 1_000; i++) {
            stranger.read("c", COUNTER, false, 0);
        }
        world.run(100);
        assertThat(stranger.answers()).hasSizeLessThan(200);
        assertThat(stranger.refusals()).extracting(refusal -> refusal.reason()).containsOnly(Reason.TOO_OFTEN);
        TestClient client = writer(2, 0, 0);
        for (int i = 0; i < 1_000; i++) {
            client.read("c", COUNTER, false, 0);
        }
        world.run(100);
        assertThat(client.answers()).hasSize(1_000);
        world.run(2_000);
        stranger.received.clear();
        stranger.read("c", COUNTER, false, 0);
        assertThat(stranger.answers()).hasSize(1);
    }

    @Test
    void aClientHasAtMostTwoSessionsAndTheNewestCount() {
        List<TestClient> sessions = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            TestClient session = new TestClient(world, world.sealer(3, 1), 0);
            session.session = i;
            world.attach(session);
            session.open();
            world.run(50);
            sessions.add(session);
        }
        assertThat(world.closed)
                .containsExactly(sessions.get(0).connection, sessions.get(1).connection, sessions.get(2).connection);
        sessions.get(4).update("c", COUNTER, increment(1));
        world.run(2_000);
        for (int i = 0; i < 5; i++) {
            assertThat(covered(sessions.get(i))).as("session %d", i).isEqualTo(i < 3 ? 0 : 1);
        }
    }

    private static long covered(TestClient client) {
        return client.confirmations().stream()
                .mapToLong(confirmation -> confirmation.covered().size())
                .sum();
    }

    @Test
    void confirmationsAreBounded() {
        TestClient client = writer(1, 0, 1_000);
        world.run(3_000);
        assertThat(covered(client)).isGreaterThanOrEqualTo(1_000);
        assertThat(client.confirmations())
                .extracting(Confirmation::covered)
                .allSatisfy(one -> assertThat(one).hasSizeLessThanOrEqualTo(256));
    }

    /** Each answer spans 2,000 entries that are certified, so that they have to be decoded again. */
    @Test
    void inspectionsHaveARateByWhatTheyReplay() {
        world.certifying = false;
        writer(1, 0, 2_000);
        List<Signed<Response>> answers = new ArrayList<>();
        TestClient reader = world.client(2, 0);
        for (int i = 0; i < 40; i++) {
            long nonce = reader.read("c", COUNTER, false, 0);
            world.run(20);
            answers.add(reader.answer(nonce, false).orElseThrow().response());
        }
        world.certifying = true;
        world.run(1_000);
        List<TestClient> askers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            TestClient asker = world.client(50 + i, 1);
            Read read = reader.reads.get(answers.get(i).message().reference());
            asker.ask(new Inspect(asker.id(), i + 1, answers.get(i), Question.of(read)));
            askers.add(asker);
        }
        world.run(20);
        long served = askers.stream().filter(asker -> !asker.signed.isEmpty()).count();
        assertThat(served).isBetween(2L, 15L);
        Read first = reader.reads.get(answers.get(0).message().reference());
        for (TestClient asker : askers) {
            asker.ask(new Inspect(asker.id(), 100, answers.get(0), Question.of(first)));
        }
        world.run(20);
        for (TestClient asker : askers) {
            assertThat(asker.newest(InspectReply.class).orElseThrow().message())
                    .satisfies(reply -> assertThat(reply.nonce()).isEqualTo(100))
                    .satisfies(reply -> assertThat(reply.outcome())
                            .isIn(InspectReply.Outcome.MATCH, InspectReply.Outcome.CONTESTED));
        }
    }

    /** The server answers one update at a place and puts another there in its log. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatTheLogContradictsIsProvedByWhoeverSeesIt(boolean certified) {
        world.certifying = certified;
        TestClient client = writer(1, 3, 3);
        world.run(certified ? 2_000 : 100);
        Response told = client.answer(3, true).orElseThrow().response().message();
        TestClient victim = world.client(2, 3);
        Signed<ClientSigned> words =
                victim.sealer.<ClientSigned>seal(new Request(victim.id(), 1, "c", COUNTER, increment(7)));
        Dot dot = told.dot();
        Hash leaf =
                MerkleTree.leafHash(Codec.encode(new Entry(dot, told.version().with(3, dot.sequence() - 1), words)));
        Signed<Response> lie = world.sealer(1, 3)
                .seal(new Response(
                        3,
                        99,
                        victim.id(),
                        1,
                        Value.of(7),
                        dot,
                        leaf,
                        told.version(),
                        told.roots(),
                        told.certificate(),
                        told.certificateDigest()));
        Signed<Request> request = new Signed<>((Request) words.message(), words.payload(), words.signature());
        TestClient asker = world.client(30, 0);
        asker.ask(new Inspect(asker.id(), 1, lie, Question.of(request)));
        world.run(100);
        world.certifying = true;
        world.run(4_000);
        for (int server = 0; server < 3; server++) {
            assertThat(exclusions(server)).extracting(Exclusion::origin).containsExactly(3);
        }
    }

    @Test
    void moreProofsAgainstARefusedClientCostNothing() {
        TestClient client = writer(1, 0, 1);
        for (int i = 1; i <= 20; i++) {
            Signed<Request> other = client.sealer.seal(new Request(client.id(), 1, "c", COUNTER, increment(50 + i)));
            Evidence evidence = new ClientEquivocation(client.requests.get(1L), other);
            world.step(2, new Event.NodeFrame(NodeId.appserver(1), Deployment.decoded(Codec.encode(evidence))));
        }
        assertThat(counted(2, "evidence_taken")).isEqualTo(1);
        assertThat(world.cores.get(2).status().blacklist())
                .extracting(one -> one.accused())
                .containsExactly(new Accused.Client(client.id()));
    }

    @Test
    void aProofTooLargeToBeOrderedDoesNotShieldTheAccused() {
        TestClient client = writer(1, 3, 1);
        world.run(2_000);
        Response told = client.answer(1, true).orElseThrow().response().message();
        complain(1, wentBack(told, Value.of("x".repeat(200 << 10))));
        complain(2, wentBack(told, Value.of("x")));
        world.run(4_000);
        assertThat(exclusions(0)).extracting(Exclusion::origin).containsExactly(3);
    }

    private Evidence wentBack(Response told, Value value) {
        return new CertificateWentBack(named(told, 90, 2, value), named(told, 91, 1, value));
    }

    private Signed<Response> named(Response told, long sequence, long certificate, Value value) {
        return world.sealer(1, 3)
                .seal(new Response(
                        3,
                        sequence,
                        told.client(),
                        told.reference(),
                        value,
                        told.dot(),
                        told.leaf(),
                        told.version(),
                        told.roots(),
                        new CertificateNumber(certificate),
                        Hash.ZERO));
    }

    private void complain(int index, Evidence evidence) {
        TestClient complainer = world.client(30 + index, 0);
        complainer.ask(new Complain(complainer.id(), 1, evidence));
        world.run(100);
    }

    @Test
    void manyStrangersDoNotKeepAClientFromItsStanding() {
        for (int i = 0; i < 250; i++) {
            TestClient stranger = world.client(2 + i, 1);
            for (int ask = 1; ask <= 20; ask++) {
                stranger.ask(new AskStanding(stranger.id(), ask, List.of()));
            }
        }
        TestClient client = world.client(1, 1);
        client.ask(new AskStanding(client.id(), 1, List.of()));
        world.run(20);
        Optional<Signed<Standing>> standing = client.newest(Standing.class);
        assertThat(standing).isPresent();
    }

    /** Whoever tells others' shares and questions makes a server verify and count what they never sent. */
    @Test
    void aBftserverSpeaksForItselfAlone() {
        CertificateContent content = new CertificateContent(
                world.deployment,
                CertificateNumber.FIRST,
                Hash.ZERO,
                VersionVector.zero(4),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
        BftReqStable question = new BftReqStable(
                2, Epoch.NONE.next(), 1, Hash.ZERO, CertificateNumber.FIRST, VersionVector.zero(4), List.of());
        for (int from = 1; from <= 2; from++) {
            NodeId teller = NodeId.bftserver(from);
            Share share = new Share(2, world.sealer(2, 2).seal(content));
            world.step(0, new Event.NodeFrame(teller, Deployment.decoded(Codec.encode(share))));
            byte[] asked = Codec.encode(world.sealer(2, 2).seal(question));
            world.step(0, new Event.NodeFrame(teller, Deployment.decoded(asked)));
            assertThat(counted(0, "refused_share")).isEqualTo(1);
            assertThat(counted(0, "refused_bftreqstable")).isEqualTo(1);
        }
    }
}
