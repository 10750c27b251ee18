package org.aspas.appserver.core;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.InspectReply.Outcome;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server that starts from its base can still prove what it forgot: hashes of leaves are elsewhere, and their roots in the base. */
class LeafBlockRootsTest {
    private static final long MIB = 1 << 20;
    private static final long HOUR = 3_600_000;
    private static final int WHO = 1;
    private static final int LEAVES = 8;
    private static final int UPDATES = 60;

    private Deployment world = deployment(HOUR);
    private TestClient writer = world.client(1, 0);
    private int askers = 50;

    /** Blocks have eight leaves. */
    private static Deployment deployment(long leafMillis) {
        Deployment made = new Deployment(
                7, client -> true, CoreLimits.USUAL.keeping(new RetentionLimits(3, 500, MIB, leafMillis, MIB, MIB, 3)));
        made.keepBases();
        return made;
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            writer.update("s", "aw-set", Operation.of("add", Value.of(i % 4)));
            world.run(100);
        }
    }

    private void begin() {
        writer.open();
        world.run(100);
        add(UPDATES);
        world.run(2_000);
    }

    private Signed<Request> asked(long number) {
        Signed<Request> request = writer.requests.get(number);
        assertThat(request).isNotNull();
        return request;
    }

    private Signed<Response> answer(long number) {
        return writer.answer(number, true).orElseThrow().response();
    }

    private Outcome inspect(Signed<Response> answer, Signed<Request> asked) {
        TestClient asker = world.client(askers++, WHO);
        asker.ask(new Inspect(asker.id(), 1, answer, Question.of(asked)));
        world.run(100);
        return asker.newest(InspectReply.class).orElseThrow().message().outcome();
    }

    private Outcome inspect(long number) {
        return inspect(answer(number), asked(number));
    }

    /** Of docs/formats.md, §19: the second block of origin 0 begins at leaf 8 here. */
    @Test
    void theBaseHasTheRootsUnderTheKeysOfTheFormat() {
        begin();
        byte[] key = HexFormat.of().parseHex("74000000000000000000000008");
        assertThat(world.bases.get(WHO).contents.get(key)).hasSize(Hash.LENGTH);
        byte[] edge = HexFormat.of().parseHex("7400000000");
        assertThat(world.bases.get(WHO).contents.get(edge)).isEqualTo(new byte[Long.BYTES]);
    }

    private void restart() {
        world.crash(WHO);
        assertThat(count("bases_loaded")).isEqualTo(1);
        world.run(200);
    }

    private long count(String counter) {
        return world.cores.get(WHO).status().counters().getOrDefault(counter, 0L);
    }

    private long gauge(String name) {
        return world.cores.get(WHO).status().gauges().getOrDefault(name, -1L);
    }

    /** Update n is entry n + 1: the session is the first one. */
    private static boolean whole(long number, long ends) {
        return number / LEAVES < ends / LEAVES;
    }

    private long certified() {
        return world.cores.get(WHO).status().certified().get(0);
    }

    @Test
    void afterARestartFromTheBaseAllWholeBlocksAnswer() {
        begin();
        long edge = certified();
        restart();
        for (long number = 1; number < UPDATES; number += 7) {
            assertThat(inspect(number))
                    .as("update %d", number)
                    .isEqualTo(whole(number, edge) ? Outcome.MATCH : Outcome.PRUNED);
        }
        assertThat(count("leaves_awaited")).isPositive();
        assertThat(gauge("leaves_waiting")).isZero();
        assertThat(world.alarms).isEmpty();
    }

    /** What server 0 would have answered if it had put another entry in the place of its fifth one. */
    @SuppressWarnings("unchecked") // A Request is a ClientSigned, and Signed only hands it out.
    @Test
    void aLieAboutAPlaceBelowTheBaseIsProved() {
        begin();
        restart();
        Response r = answer(1).message();
        Dot dot = new Dot(0, 5);
        Signed<? extends ClientSigned> other = asked(1);
        Entry entry = new Entry(dot, r.version().with(0, 4), (Signed<ClientSigned>) other);
        Signed<Response> lie = world.settings
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
        inspect(lie, asked(1));
        world.run(3_000);
        assertThat(world.alarms)
                .anyMatch(raised -> raised.server() == WHO
                        && raised.alarm() instanceof Alarm.ProvedFaulty proved
                        && proved.accused() == 0);
    }

    @Test
    void manyRestartsForgetABlockEachAtMost() {
        begin();
        List<Long> edges = new ArrayList<>();
        for (int start = 0; start < 5; start++) {
            edges.add(certified());
            restart();
            add(LEAVES + 5);
            world.run(2_000);
        }
        restart();
        long last = certified();
        for (long number = 1; number < last - LEAVES; number++) {
            long place = number;
            // The root behind the last place of a block is known without the block, and says enough.
            boolean broken = (place + 1) % LEAVES != 0
                    && edges.stream().anyMatch(edge -> edge % LEAVES != 0 && place / LEAVES == edge / LEAVES);
            assertThat(inspect(number))
                    .as("update %d of %s", number, edges)
                    .isEqualTo(broken ? Outcome.PRUNED : Outcome.MATCH);
        }
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void missingAndDamagedBlocksCountAsForgotten() {
        begin();
        restart();
        Map<List<Long>, LeafBlock> kept = world.leaves.get(WHO);
        kept.remove(List.of(0L, 0L));
        kept.computeIfPresent(List.of(0L, 16L), (which, block) -> {
            byte[] damaged = block.hashes();
            damaged[0] ^= 1;
            return new LeafBlock(block.first(), damaged);
        });
        kept.put(
                List.of(0L, 24L),
                new LeafBlock(24, requireNonNull(kept.get(List.of(0L, 32L))).hashes()));
        assertThat(inspect(3)).as("missing").isEqualTo(Outcome.PRUNED);
        assertThat(inspect(18)).as("damaged").isEqualTo(Outcome.PRUNED);
        assertThat(inspect(26)).as("another block").isEqualTo(Outcome.PRUNED);
        assertThat(inspect(10)).isEqualTo(Outcome.MATCH);
        assertThat(world.alarms).isEmpty();
        assertThat(world.cores.get(WHO).status().blacklist()).isEmpty();
    }

    /** Whatever becomes of the roots in the base, the server starts from it, and proves nothing wrong. */
    @Test
    void rootsThatDoNotLeadToTheCertifiedOnesAreNotBelieved() {
        begin();
        int key = 0;
        for (byte[] one : List.copyOf(world.bases.get(WHO).contents.keySet())) {
            if (one[0] != BaseImage.LEAVES || one.length < 5 || one[4] != 0) {
                continue;
            }
            byte[] right = requireNonNull(world.bases.get(WHO).contents.get(one));
            byte[] wrong = right.clone();
            wrong[wrong.length - 1] ^= 1;
            if (key++ % 2 == 0) {
                world.bases.get(WHO).contents.put(one, wrong);
            } else {
                world.bases.get(WHO).contents.remove(one);
            }
            restart();
            assertThat(inspect(3)).as("key %d", key).isEqualTo(Outcome.PRUNED);
            world.bases.get(WHO).contents.put(one, right);
        }
        assertThat(key).isGreaterThan(5);
        restart();
        assertThat(inspect(3)).as("all is right again").isEqualTo(Outcome.PRUNED);
        assertThat(world.alarms).isEmpty();
    }

    @Test
    void theirTimeGoesOnInTheNextProcess() {
        world = deployment(6_000);
        writer = world.client(1, 0);
        writer.open();
        world.run(100);
        add(20);
        long kept = world.leaves.get(WHO).size();
        assertThat(kept).isPositive();
        for (int start = 0; start < 8; start++) {
            add(10);
            restart();
        }
        assertThat(inspect(3)).as("12 s ago").isEqualTo(Outcome.PRUNED);
        assertThat(world.leaves.get(WHO)).doesNotContainKey(List.of(0L, 0L));
        assertThat(gauge("log_hash_bytes_stored")).isBetween(0L, 100L * 32);
    }

    @Test
    void theBoundInBytesHoldsAfterARestart() {
        world = new Deployment(
                7, client -> true, CoreLimits.USUAL.keeping(new RetentionLimits(3, 500, MIB, HOUR, 40 * 32, MIB, 3)));
        world.keepBases();
        writer = world.client(1, 0);
        begin();
        restart();
        add(UPDATES);
        restart();
        add(10);
        world.run(2_000);
        assertThat(gauge("log_hash_bytes_stored")).isBetween(1L, 40L * 32);
        assertThat(world.leaves.get(WHO)).doesNotContainKey(List.of(0L, 0L));
        assertThat(world.leaves.get(WHO).size()).isLessThan(20);
    }

    @Test
    void memoryHoldsTwoHashesForABlockAfterARestart() {
        begin();
        add(4 * UPDATES);
        world.run(2_000);
        long before = gauge("log_hash_bytes");
        restart();
        assertThat(gauge("log_hash_bytes")).isLessThanOrEqualTo(before);
    }

    @Test
    void aLostBaseForgetsAndASnapshotDropsWhatIsLeft() {
        begin();
        world.bases.get(WHO).contents.clear();
        world.bases.get(WHO).head = new byte[0];
        world.stores.get(WHO).clear();
        world.crash(WHO);
        world.run(10_000);
        assertThat(inspect(3)).isEqualTo(Outcome.PRUNED);
        assertThat(world.alarms).noneMatch(raised -> raised.alarm() instanceof Alarm.ProvedFaulty);
    }

    /**
     * The entry was certified after its dependencies were in the base, so that after a restart its answer could never be given again:
     * the server said that it was busy, for ever. It is entered again instead, and counts once.
     */
    @Test
    void anUpdateWhoseAnswerIsForgottenIsEnteredAgainAndCountsOnce() {
        writer.open();
        TestClient other = world.client(2, WHO);
        other.open();
        add(3);
        world.run(2_000);
        // What this server enters stays here, while others' entries come and are certified.
        world.open = (from, to) -> !from.equals(NodeId.appserver(WHO)) || to.role() == Role.BFTSERVER;
        Signed<Request> request = other.update("c", "pn-counter", Operation.of("increment", Value.of(3)));
        world.run(20);
        Dot first = other.answer(1, true).orElseThrow().response().message().dot();
        add(3);
        world.run(2_000);
        restart();
        world.open = (from, to) -> true;
        world.run(3_000);
        for (int turn = 0; turn < 2; turn++) {
            other.received.clear();
            other.move(WHO);
            other.resend(request);
            world.run(3_000);
            assertThat(other.refusals()).isEmpty();
            Dot again = other.answer(1, true).orElseThrow().response().message().dot();
            assertThat(again).isNotEqualTo(first);
            assertThat(other.confirmations().stream().flatMap(confirmation -> confirmation.covered().stream()))
                    .anyMatch(covered -> covered.dot().equals(again));
        }
        long read = other.read("c", "pn-counter", true, 0);
        world.run(100);
        assertThat(other.answer(read, false).orElseThrow().response().message().result())
                .isEqualTo(Value.of(3));
        assertThat(world.alarms).isEmpty();
    }
}
