package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Who asks for parts of a snapshot waits for his turn, and what he gets is bounded in bytes. */
class SnapshotTurnsTest extends LateServer {
    private static final NodeId PEER = NodeId.appserver(LATE);
    /** An answer counts 64 KiB at least, and 1 MiB is given at once. */
    private static final int SHORT_ONES_AT_ONCE = 16;

    private static final int MOST_THAT_WAIT = 16;

    /** What server 0 sends to the peer, in order. */
    private final List<Message> given = new ArrayList<>();

    private void watch() {
        world.altered = (from, to, message) -> {
            if (from == 0 && to.equals(PEER) && (message instanceof SnapshotChunk || message instanceof SnapshotHead)) {
                given.add(message);
            }
            return message;
        };
    }

    /** A question for a part that nobody has; the answer names its place. */
    private static SnapshotPull numbered(int number) {
        byte[] from = new byte[Hash.LENGTH];
        from[0] = (byte) number;
        return new SnapshotPull(new CertificateNumber(1_000_000), new SnapshotPull.Place(null, Hash.of(from)));
    }

    private static List<SnapshotPull.Place> places(List<? extends Message> answers) {
        return answers.stream().map(answer -> ((SnapshotChunk) answer).place()).toList();
    }

    private static List<SnapshotPull.Place> places(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> Objects.requireNonNull(numbered(number).place()))
                .toList();
    }

    private void ask(NodeId peer, SnapshotPull pull) {
        world.step(0, new Event.NodeFrame(peer, new Frame.Plain(pull)));
    }

    private long waiting() {
        return world.cores.get(0).status().gauges().getOrDefault("snapshot_questions_waiting", -1L);
    }

    @Test
    void whatAPeerAsksBeyondItsBudgetWaitsItsTurnAndNoMoreThanSoMuch() {
        watch();
        world.run(100);
        for (int i = 0; i < 100; i++) {
            ask(PEER, numbered(i));
        }
        assertThat(given).hasSize(SHORT_ONES_AT_ONCE);
        assertThat(waiting()).isEqualTo(MOST_THAT_WAIT);
        assertThat(count(0, "refused_snapshot_pull")).isEqualTo(100 - SHORT_ONES_AT_ONCE - MOST_THAT_WAIT);
        world.run(200);
        assertThat(waiting()).isZero();
        assertThat(places(given)).isEqualTo(places(0, SHORT_ONES_AT_ONCE + MOST_THAT_WAIT));
        world.run(1_000);
        given.clear();
        for (int i = 0; i < 100; i++) {
            ask(PEER, numbered(i));
        }
        assertThat(given).as("the budget is full again, and not more").hasSize(SHORT_ONES_AT_ONCE);
    }

    /** A question that comes while an older one waits is not answered before that, though the budget would allow it. */
    @Test
    void theOldestQuestionOfAPeerIsAnsweredFirst() {
        watch();
        world.run(100);
        IntStream.range(0, 2 * SHORT_ONES_AT_ONCE).forEach(i -> ask(PEER, numbered(i)));
        for (int i = 2 * SHORT_ONES_AT_ONCE; i < 60; i++) {
            world.run(20);
            ask(PEER, numbered(i));
        }
        world.run(1_000);
        assertThat(places(given)).isEqualTo(places(0, 60));
    }

    @Test
    void longPartsCountByTheirBytes() {
        TestClient writer = writer(0);
        for (int i = 0; i < 100; i++) {
            byte[] element = new byte[4096];
            element[0] = (byte) i;
            writer.update("large", "aw-set", Operation.of("add", Value.of(element)));
        }
        certify(writer, 2 * RETAINED);
        watch();
        ask(PEER, new SnapshotPull(CertificateNumber.NONE, null));
        CertificateNumber number = Objects.requireNonNull(((SnapshotHead) given.get(0)).certificate())
                .number();
        SnapshotPull part = new SnapshotPull(number, new SnapshotPull.Place(StateTree.objectPath("large"), Hash.ZERO));
        world.run(2_000);
        given.clear();
        for (int i = 0; i < 10; i++) {
            ask(PEER, part);
        }
        long each = Codec.encode(given.get(0)).length;
        assertThat(each).isBetween(100L << 10, 256L << 10);
        assertThat(given.size() * each).as("at once").isBetween(1L << 20, (1L << 20) + each);
        for (int tick = 0; tick < 50; tick++) {
            for (int i = 0; i < 8; i++) {
                ask(PEER, part);
            }
            world.run(20);
        }
        assertThat(given.size() * each).as("in a second").isBetween(14L << 20, (17L << 20) + 2 * each);
        assertThat(given)
                .allSatisfy(one -> assertThat(((SnapshotChunk) one).proof()).isNotNull());
    }

    @Test
    void oneStepMakesFewPartsHoweverManyWait() {
        world.run(100);
        for (int i = 0; i < 2 * SHORT_ONES_AT_ONCE; i++) {
            for (int peer = 1; peer < 4; peer++) {
                ask(NodeId.appserver(peer), numbered(i));
            }
        }
        TestClient client = world.client(clients++, 0);
        for (int i = 0; i < 2 * SHORT_ONES_AT_ONCE; i++) {
            client.send(Codec.encode(numbered(i)));
        }
        assertThat(waiting()).isEqualTo(4L * MOST_THAT_WAIT);
        List<Integer> peers = new ArrayList<>();
        int[] ofClients = {0};
        world.seen = (server, effect) -> {
            if (effect instanceof Effect.ToNode sent && sent.message() instanceof SnapshotChunk) {
                peers.add(sent.to().index());
            }
            ofClients[0] += effect instanceof Effect.ToClient sent && sent.message() instanceof SnapshotChunk ? 1 : 0;
        };
        // Long after the budgets are full.
        world.step(0, world.tickAfter(5_000));
        assertThat(peers).containsExactly(1, 2, 3);
        assertThat(ofClients[0]).isEqualTo(1);
    }

    @Test
    void nothingWaitsForALinkOrAConnectionThatIsGone() {
        world.run(100);
        watch();
        TestClient client = world.client(clients++, 0);
        for (int i = 0; i < 2 * SHORT_ONES_AT_ONCE; i++) {
            ask(PEER, numbered(i));
            client.send(Codec.encode(numbered(i)));
        }
        assertThat(waiting()).isEqualTo(2L * MOST_THAT_WAIT);
        world.step(0, new Event.NodeGone(PEER));
        assertThat(waiting()).isEqualTo(MOST_THAT_WAIT);
        world.step(0, new Event.ClientGone(client.connection));
        assertThat(waiting()).isZero();
        world.step(0, new Event.NodeConnected(PEER));
        given.clear();
        world.run(500);
        assertThat(given).isEmpty();
    }

    /** Who asks for one part while another one asks for as many as wait gets it behind one or two of these. */
    @Test
    void clientsTakeTurns() {
        world.run(100);
        TestClient greedy = world.client(clients++, 0);
        TestClient modest = world.client(clients++, 0);
        for (int i = 0; i < 40; i++) {
            greedy.send(Codec.encode(numbered(i)));
        }
        assertThat(greedy.refusals())
                .hasSize(40 - SHORT_ONES_AT_ONCE - MOST_THAT_WAIT)
                .allMatch(refusal -> refusal.reason() == Refusal.Reason.TOO_OFTEN);
        int before = chunks(greedy);
        modest.send(Codec.encode(numbered(0)));
        assertThat(chunks(modest)).isZero();
        for (int i = 0; i < 50 && chunks(modest) == 0; i++) {
            world.run(20);
        }
        assertThat(chunks(modest)).isEqualTo(1);
        assertThat(chunks(greedy) - before).isBetween(1, 3);
    }

    private static int chunks(TestClient client) {
        return (int)
                client.received.stream().filter(SnapshotChunk.class::isInstance).count();
    }

    @Test
    void whoFillsTheQueueGivesWayToWhoComesLater() {
        world.run(100);
        List<TestClient> flood = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            flood.add(world.client(clients++, 0));
        }
        for (TestClient client : flood) {
            for (int i = 0; i < 40; i++) {
                client.send(Codec.encode(numbered(i)));
            }
        }
        assertThat(waiting()).isEqualTo(128);
        TestClient modest = world.client(clients++, 0);
        modest.send(Codec.encode(numbered(0)));
        assertThat(waiting()).isEqualTo(128);
        assertThat(modest.refusals()).isEmpty();
        world.run(500);
        assertThat(chunks(modest)).isEqualTo(1);
        world.run(3_000);
        assertThat(waiting()).isZero();
        assertThat(flood).allSatisfy(client -> {
            assertThat(chunks(client)).as("each gets a share").isGreaterThanOrEqualTo(6);
            assertThat(chunks(client) + client.refusals().size()).isEqualTo(40);
        });
    }

    /** Parts that wait for the disk are in memory: there are few. */
    @Test
    void whileTheDiskStandsStillFewPartsAreMade() {
        TestClient writer = writer(0);
        certify(writer, 1);
        world.storages.put(0, new Deployment.Storage() {
            @Override
            public void carryOut(Effect effect) {
                // Nothing becomes durable any more.
            }

            @Override
            public AppServerCore recovered() {
                throw new AssertionError("not started again");
            }
        });
        writer.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        long before = count(0, "snapshot_chunks_sent");
        for (int tick = 0; tick < 200; tick++) {
            for (int i = 0; i < 4; i++) {
                ask(PEER, numbered(i));
            }
            world.run(20);
        }
        assertThat(count(0, "snapshot_chunks_sent") - before).isBetween(20L, 33L);
    }
}
