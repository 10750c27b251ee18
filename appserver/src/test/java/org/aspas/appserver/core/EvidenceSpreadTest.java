package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiPredicate;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Evidence that every appserver has to judge itself reaches them all, whatever frames are lost, and is not sent for ever. */
class EvidenceSpreadTest {
    private static final String COUNTER = "pn-counter";

    private final Deployment world = new Deployment(31);

    private static BiPredicate<NodeId, NodeId> without(BiPredicate<NodeId, NodeId> lost) {
        return (from, to) -> from.role() != Role.APPSERVER || to.role() != Role.APPSERVER || !lost.test(from, to);
    }

    private Evidence equivocation(int client) {
        Sealer sealer = world.sealer(3, client);
        ClientId id = new ClientId(sealer.publicKey());
        return new ClientEquivocation(content(sealer, id, 1), content(sealer, id, 2));
    }

    private static Signed<Request> content(Sealer sealer, ClientId id, long amount) {
        return sealer.seal(new Request(id, 1, "c", COUNTER, Operation.of("increment", Value.of(amount))));
    }

    private TestClient complain(int server, Evidence evidence) {
        TestClient complainer = world.client(30, server);
        complainer.ask(new Complain(complainer.id(), 1, evidence));
        return complainer;
    }

    private List<Accused> refusedBy(int server) {
        return world.cores.get(server).status().blacklist().stream()
                .map(CoreStatus.Excluded::accused)
                .toList();
    }

    private long counted(int server, String name) {
        return world.cores.get(server).status().counters().getOrDefault(name, 0L);
    }

    private long repeated(int server) {
        return counted(server, "evidence_repeated");
    }

    @Test
    void evidenceAgainstAClientThatWasLostIsSentAgainUntilAllHaveIt() {
        Evidence evidence = equivocation(1);
        world.run(100);
        world.open = without((from, to) -> from.index() == 0);
        complain(0, evidence);
        world.run(500);
        assertThat(refusedBy(0)).containsExactly(evidence.accused());
        assertThat(refusedBy(1)).isEmpty();
        world.open = (from, to) -> true;
        world.run(3_000);
        for (int server = 0; server < 4; server++) {
            assertThat(refusedBy(server)).as("server %d", server).containsExactly(evidence.accused());
        }
        long sent = repeated(0);
        assertThat(sent).isEqualTo(3);
        world.run(70_000);
        for (int server = 0; server < 4; server++) {
            assertThat(repeated(server)).as("server %d", server).isLessThanOrEqualTo(sent);
        }
    }

    @Test
    void whoHoldsEvidenceRemembersAfterACrashThatOthersMayLackIt() {
        Evidence evidence = equivocation(1);
        world.run(100);
        world.open = without((from, to) -> from.index() == 0);
        complain(0, evidence);
        world.run(200);
        world.crash(0);
        world.open = (from, to) -> true;
        world.run(3_000);
        for (int server = 0; server < 4; server++) {
            assertThat(refusedBy(server)).as("server %d", server).containsExactly(evidence.accused());
        }
        long sent = repeated(0);
        world.run(10_000);
        assertThat(repeated(0)).isEqualTo(sent);
    }

    @Test
    void aServerThatWasAwayLearnsOfTheClientSoonAfterItsLinkIsUp() {
        Evidence evidence = equivocation(1);
        world.run(100);
        world.open = without((from, to) -> from.index() == 2 || to.index() == 2);
        complain(0, evidence);
        world.run(130_000);
        assertThat(refusedBy(2)).isEmpty();
        assertThat(repeated(0)).isLessThanOrEqualTo(8);
        world.open = (from, to) -> true;
        for (int other : List.of(0, 1, 3)) {
            world.step(other, new Event.NodeConnected(NodeId.appserver(2)));
        }
        world.run(2_500);
        assertThat(refusedBy(2)).containsExactly(evidence.accused());
    }

    /** Appserver 3 never answers: what is sent to it again is little at a time, and ever rarer. */
    @Test
    void aServerThatNeverAnswersCostsLittle() {
        world.run(100);
        world.open = without((from, to) -> from.index() == 3);
        for (int i = 0; i < 100; i++) {
            world.step(
                    0,
                    new Event.NodeFrame(NodeId.appserver(1), Deployment.decoded(Codec.encode(equivocation(100 + i)))));
        }
        assertThat(refusedBy(0)).hasSize(100);
        world.run(20_000);
        assertThat(refusedBy(2)).hasSize(100);
        long before = repeated(0);
        assertThat(before).isLessThanOrEqualTo(3 * 8 * 20);
        world.run(10_000);
        assertThat(repeated(0) - before).isLessThanOrEqualTo(8 * 10);
        world.run(300_000);
        before = repeated(0);
        world.run(64_000);
        assertThat(repeated(0) - before).isLessThanOrEqualTo(100);
    }

    /** f+1 servers have to say so: their words are lost like anything else. */
    @Test
    void aWrongAnswerIsConvictedThoughEvidenceAndVerdictsWereLost() {
        Evidence evidence = wrongAnswer();
        world.open = without((from, to) -> true);
        complain(0, evidence);
        complain(1, evidence);
        world.run(200);
        assertThat(counted(0, "verdicts_submitted")).isZero();
        world.open = (from, to) -> true;
        world.run(6_000);
        assertExcludes();
        long sent = repeated(0) + repeated(1) + repeated(2);
        world.run(10_000);
        assertThat(repeated(0) + repeated(1) + repeated(2)).isEqualTo(sent);
    }

    /** A client that has f+1 verdicts is content, so that they must be remembered by those who gave them. */
    @Test
    void aWrongAnswerIsConvictedThoughAllWhoGaveTheirWordCrashAtOnce() {
        Evidence evidence = wrongAnswer();
        world.open = without((from, to) -> true);
        List<TestClient> complainers = List.of(complain(0, evidence), complain(1, evidence));
        world.run(50);
        for (TestClient complainer : complainers) {
            assertThat(complainer
                            .newest(Blacklist.class)
                            .orElseThrow()
                            .message()
                            .finding())
                    .isEqualTo(Blacklist.Finding.GUILTY);
        }
        world.crash(0);
        world.crash(1);
        world.open = (from, to) -> true;
        world.run(6_000);
        assertExcludes();
    }

    /** What the client of appserver 3 can prove with the help of two others. */
    private Evidence wrongAnswer() {
        TestClient client = world.client(1, 3);
        client.open();
        client.update("c", COUNTER, Operation.of("increment", Value.of(2)));
        world.run(400);
        Question question = Question.of(client.requests.get(1L));
        Signed<Response> lie =
                wrong(client.answer(1, true).orElseThrow().response().message());
        return new WrongAnswer(lie, question, List.of(reply(0, lie, question), reply(2, lie, question)));
    }

    private void assertExcludes() {
        for (int server = 0; server < 3; server++) {
            assertThat(world.cores
                            .get(server)
                            .newestCertificate()
                            .orElseThrow()
                            .content()
                            .exclusions())
                    .extracting(Exclusion::origin)
                    .containsExactly(3);
        }
    }

    private Signed<Response> wrong(Response told) {
        return world.sealer(1, 3)
                .seal(new Response(
                        told.server(),
                        told.sequence(),
                        told.client(),
                        told.reference(),
                        Value.of(77),
                        told.dot(),
                        told.leaf(),
                        told.version(),
                        told.roots(),
                        told.certificate(),
                        told.certificateDigest()));
    }

    private Signed<InspectReply> reply(int server, Signed<Response> answer, Question question) {
        TestClient asker = world.client(50 + server, server);
        asker.ask(new Inspect(asker.id(), 1, answer, question));
        world.run(20);
        return asker.newest(InspectReply.class).orElseThrow();
    }
}
