package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Standing;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** The hashes of forgotten entries' leaves are kept by the shell, and come back for what comes late. */
class LateLeavesTest {
    private static final long MIB = 1 << 20;
    private static final long HOUR = 3_600_000;
    private static final RetentionLimits SHORT = new RetentionLimits(3, 500, MIB, HOUR, MIB, MIB, 3);
    private static final int UPDATES = 60;
    private static final int MANY = 12;

    private final Deployment world = deployment(SHORT);
    private final TestClient writer = world.client(1, 0);
    private long nonce = 1_000;

    private static Deployment deployment(RetentionLimits limits) {
        return new Deployment(7, client -> true, CoreLimits.USUAL.keeping(limits));
    }

    private static void add(Deployment world, TestClient writer, int count) {
        for (int i = 0; i < count; i++) {
            writer.update("s", "aw-set", Operation.of("add", Value.of(i % 4)));
            world.run(100);
        }
    }

    /** The writer's first update, which is forgotten everywhere. */
    private Signed<Request> longAgo() {
        writer.open();
        world.run(100);
        add(world, writer, UPDATES);
        world.run(2_000);
        Signed<Request> first = writer.requests.get(1L);
        assertThat(first).isNotNull();
        return first;
    }

    private Signed<Response> answer(long number) {
        return writer.answer(number, true).orElseThrow().response();
    }

    private Outcome inspect(int server, Signed<Response> answer, Signed<Request> asked) {
        TestClient asker = world.client(50 + server, server);
        asker.ask(new Inspect(asker.id(), ++nonce, answer, Question.of(asked)));
        world.run(100);
        return asker.newest(InspectReply.class).orElseThrow().message().outcome();
    }

    private long counter(int server, String name) {
        return world.cores.get(server).status().counters().getOrDefault(name, 0L);
    }

    private static long gauge(Deployment world, String name) {
        return world.cores.get(0).status().gauges().getOrDefault(name, -1L);
    }

    /** What an answer of server 0 would be if it named a place in which another entry stands. */
    @SuppressWarnings("unchecked") // A Request is a ClientSigned, and Signed only hands it out.
    private Signed<Response> lie(Response r, Signed<? extends ClientSigned> asked) {
        Dot dot = new Dot(0, 5);
        Entry entry = new Entry(dot, r.version().with(0, 4), (Signed<ClientSigned>) asked);
        return world.settings
                .get(0)
                .sealer()
                .seal(new Response(
                        r.server(),
                        r.sequence(),
                        r.client(),
                        r.reference(),
                        r.result(),
                        dot,
                        MerkleTree.leafHash(Codec.encode(entry)),
                        r.version().with(0, 5),
                        r.roots(),
                        r.certificate(),
                        r.certificateDigest()));
    }

    @Test
    void memoryHoldsTheSameHashesHoweverManyEntriesThereWere() {
        longAgo();
        long before = gauge(world, "log_hash_bytes");
        long stored = gauge(world, "log_hash_bytes_stored");
        add(world, writer, 4 * UPDATES);
        world.run(2_000);
        // Of each block of eight leaves two hashes stay.
        assertThat(gauge(world, "log_hash_bytes") - before)
                .isLessThan(4 * UPDATES * Hash.LENGTH / 4 + 16 * Hash.LENGTH);
        assertThat(gauge(world, "log_hash_bytes_stored") - stored)
                .isBetween(4L * (UPDATES - 5) * Hash.LENGTH, 4L * (UPDATES + 5) * Hash.LENGTH);
    }

    @Test
    void anOldAnswerIsComparedWithHashesThatComeBack() {
        Signed<Request> first = longAgo();
        for (int server = 0; server < 4; server++) {
            assertThat(inspect(server, answer(1), first)).isEqualTo(Outcome.MATCH);
            assertThat(counter(server, "leaves_awaited")).isPositive();
            assertThat(world.cores.get(server).status().gauges()).containsEntry("leaves_waiting", 0L);
        }
    }

    @Test
    void whatIsComparedOnceLeavesMemoryAgain() {
        Signed<Request> first = longAgo();
        long before = gauge(world, "log_hash_bytes");
        inspect(0, answer(1), first);
        assertThat(gauge(world, "log_hash_bytes")).isEqualTo(before);
        inspect(0, answer(1), first);
        assertThat(counter(0, "leaves_awaited")).isEqualTo(2);
    }

    @Test
    void withoutTheHashesAnOldAnswerIsRefusedByName() {
        Signed<Request> first = longAgo();
        world.leaves.get(2).clear();
        assertThat(inspect(2, answer(1), first)).isEqualTo(Outcome.PRUNED);
        assertThat(counter(2, "leaves_missing")).isPositive();
    }

    @Test
    void damagedHashesAreNotBelieved() {
        Signed<Request> first = longAgo();
        world.leaves.get(2).replaceAll((which, block) -> {
            byte[] damaged = block.hashes();
            damaged[0] ^= 1;
            return new LeafBlock(block.first(), damaged);
        });
        assertThat(inspect(2, answer(1), first)).isEqualTo(Outcome.PRUNED);
        assertThat(world.cores.get(2).status().blacklist()).isEmpty();
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void anOldLieIsProvedWithHashesThatComeBack() {
        Signed<Request> first = longAgo();
        inspect(2, lie(answer(1).message(), first), first);
        world.run(3_000);
        assertThat(world.alarms)
                .extracting(Deployment.Raised::alarm)
                .anyMatch(alarm -> alarm instanceof Alarm.ProvedFaulty proved && proved.accused() == 0);
    }

    @Test
    void aClientThatComesBackLateIsToldWhatWasCertified() {
        longAgo();
        writer.received.clear();
        writer.move(0);
        assertThat(covered()).as("before the hashes are here").isEmpty();
        world.run(100);
        assertThat(covered()).contains(new Dot(0, 2), new Dot(0, UPDATES + 1));
        world.leaves.get(0).clear();
        writer.received.clear();
        writer.move(0);
        world.run(100);
        assertThat(covered()).doesNotContain(new Dot(0, 2)).contains(new Dot(0, UPDATES + 1));
    }

    private List<Dot> covered() {
        return writer.confirmations().stream()
                .flatMap(one -> one.covered().stream())
                .map(Confirmation.Covered::dot)
                .toList();
    }

    @Test
    void aStandingNamesPlacesWhoseHashesComeBack() {
        Signed<Request> first = longAgo();
        AskStanding question = new AskStanding(writer.id(), 5, List.of(new AskStanding.Named(1, first.identity())));
        writer.ask(question);
        world.run(100);
        assertThat(writer.newest(Standing.class).orElseThrow().message().updates())
                .containsExactly(new Standing.Held(1, new Dot(0, 2)));
    }

    @Test
    void whoAsksForTooMuchAtOnceWaitsForNothing() {
        Signed<Request> first = longAgo();
        TestClient asker = world.client(9, 1);
        for (int i = 0; i < MANY; i++) {
            asker.ask(new Inspect(asker.id(), ++nonce, answer(1), Question.of(first)));
        }
        assertThat(counter(1, "leaves_refused")).isEqualTo(4);
        world.run(100);
        assertThat(asker.signed.stream().map(one -> ((InspectReply) one.message()).outcome()))
                .hasSize(MANY)
                .startsWith(Outcome.PRUNED, Outcome.PRUNED, Outcome.PRUNED, Outcome.PRUNED, Outcome.MATCH);
    }

    @Test
    void allWhoAskMayWaitForSoMuchTogether() {
        Signed<Request> first = longAgo();
        for (int client = 0; client < MANY; client++) {
            TestClient asker = world.client(60 + client, 1);
            for (int i = 0; i < 8; i++) {
                asker.ask(new Inspect(asker.id(), ++nonce, answer(1), Question.of(first)));
            }
        }
        assertThat(counter(1, "leaves_awaited")).isEqualTo(64);
        assertThat(counter(1, "leaves_refused")).isEqualTo(MANY * 8 - 64);
    }

    /** A liar's batch is about 300 places whose hashes are in more blocks than one question may bring back. */
    @Test
    void oneQuestionBringsBackSoMuchOnly() {
        longAgo();
        add(world, writer, 5 * UPDATES);
        Head head = new Head(0, 300, Hash.sha256(new byte[] {1}));
        Batch batch = new Batch(world.settings.get(0).sealer().seal(head), Collections.nCopies(300, new byte[] {1}));
        world.step(1, new Event.NodeFrame(NodeId.appserver(0), new Frame.Plain(batch)));
        assertThat(counter(1, "leaves_refused")).isEqualTo(1);
        assertThat(counter(1, "leaves_awaited")).isZero();
    }

    @Test
    void afterACrashTheHashesAreThoseOfTheStore() {
        Signed<Request> first = longAgo();
        world.crash(1);
        world.run(2_000);
        assertThat(world.leaves.get(1)).as("given away again").isNotEmpty();
        assertThat(inspect(1, answer(1), first)).isEqualTo(Outcome.MATCH);
    }

    @Test
    void afterTheirTimeTheShellNeedKeepThemNoLonger() {
        Deployment brief = deployment(new RetentionLimits(3, 500, MIB, 3_000, MIB, MIB, 3));
        TestClient client = brief.client(1, 0);
        client.open();
        brief.run(100);
        add(brief, client, UPDATES);
        int kept = brief.leaves.get(0).size();
        add(brief, client, 4 * UPDATES);
        assertThat(brief.leaves.get(0).size()).isBetween(1, kept + 2);
    }

    @Test
    void aBlockThatIsOnItsWayIsAskedForOnce() {
        Signed<Request> first = longAgo();
        List<Effect> asked = new ArrayList<>();
        world.seen = (server, effect) -> {
            if (server == 1 && effect instanceof Effect.LoadLeaves) {
                asked.add(effect);
            }
        };
        for (int client = 0; client < MANY; client++) {
            TestClient asker = world.client(60 + client, 1);
            asker.ask(new Inspect(asker.id(), ++nonce, answer(1), Question.of(first)));
        }
        assertThat(counter(1, "leaves_awaited")).isEqualTo(MANY);
        assertThat(asked).isNotEmpty().doesNotHaveDuplicates();
    }

    /** Its place before is certified; which one counts for the client is the one that it has been told since. */
    @Test
    void aNumberThatWasEnteredAgainIsNotConfirmedAtThePlaceBefore() {
        Signed<Request> first = longAgo();
        world.certifying = false;
        writer.resend(first);
        world.run(100);
        assertThat(answer(1).message().dot()).isEqualTo(new Dot(0, UPDATES + 2));
        writer.received.clear();
        writer.move(0);
        world.run(100);
        assertThat(covered()).doesNotContain(new Dot(0, 2)).contains(new Dot(0, 3));
    }

    /** The hashes come after a peer has shown what the server signed and forgot. */
    @Test
    void aServerThatBecameAmnesiacMeanwhileAnswersNothing() {
        Signed<Request> first = longAgo();
        TestClient asker = world.client(9, 1);
        asker.ask(new Inspect(asker.id(), ++nonce, answer(1), Question.of(first)));
        assertThat(counter(1, "leaves_awaited")).isEqualTo(1);
        Signed<Head> forgotten = world.settings.get(1).sealer().seal(new Head(1, 99, Hash.ZERO));
        Frontier shown = new Frontier(world.cores.get(1).version(), List.of(forgotten), CertificateNumber.NONE);
        world.step(1, new Event.NodeFrame(NodeId.appserver(2), new Frame.Plain(shown)));
        assertThat(world.cores.get(1).status().state()).isEqualTo(ServerState.AMNESIAC);
        world.run(100);
        assertThat(world.cores.get(1).status().gauges()).containsEntry("leaves_waiting", 0L);
        assertThat(asker.signed).isEmpty();
    }
}
