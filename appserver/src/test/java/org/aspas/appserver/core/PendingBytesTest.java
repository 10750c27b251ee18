package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.log.EntryIntake;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.state.BatchOutcome;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits for others is bounded in bytes, for each origin by itself; what is not taken for that is taken later. */
class PendingBytesTest {
    private static final int KIB = 1024;
    private static final CoreLimits USUAL = CoreLimits.USUAL;

    /** Two entries of a client's fit into a batch, four wait at most. */
    private static final CoreLimits NARROW = limits(2 * KIB, 2 * KIB, 4 * KIB);

    private static CoreLimits limits(int entry, int batch, int pending) {
        return new CoreLimits(
                USUAL.maxKeyBytes(),
                entry,
                entry,
                USUAL.maxEvidenceBytes(),
                USUAL.maxBatchEntries(),
                batch,
                USUAL.maxPendingEntries(),
                pending,
                USUAL.maxUnanswered(),
                USUAL.retention(),
                USUAL.frontierMillis(),
                USUAL.reportMillis(),
                USUAL.repeatMillis());
    }

    /** An origin's log of entries of a length that depend on what its maker says. */
    private static final class Made {
        final Deployment world;
        final int origin;
        final List<byte[]> entries = new ArrayList<>();
        final MerkleLog tree = new MerkleLog();

        Made(Deployment world, int origin) {
            this.world = world;
            this.origin = origin;
        }

        void add(VersionVector dependencies, int bytes) {
            long sequence = entries.size() + 1;
            Signed<Request> request = world.sealer(3, 70 + origin)
                    .seal(new Request(
                            new ClientId(world.sealer(3, 70 + origin).publicKey()),
                            sequence,
                            "c" + origin,
                            "aw-set",
                            Operation.of("add", Value.of(new byte[bytes]))));
            byte[] entry = Codec.encode(new Entry(
                    new Dot(origin, sequence),
                    dependencies.with(origin, sequence - 1),
                    new Signed<>(request.message(), request.payload(), request.signature())));
            entries.add(entry);
            tree.append(entry);
        }

        Batch batch(long after, long end) {
            return new Batch(
                    world.sealer(1, origin).seal(new Head(origin, end, tree.rootAt(end))),
                    entries.subList((int) after, (int) end));
        }

        long bytes() {
            return entries.stream().mapToLong(entry -> entry.length).sum();
        }
    }

    private static final VersionVector GHOST = VersionVector.of(0, 0, 1_000_000, 0);

    /** Sends 300 of the longest entries, each in a batch of its own, and gives the bytes that server 0 keeps of them. */
    private static long hoarded(Deployment world) {
        Made liar = new Made(world, 3);
        for (int i = 0; i < 300; i++) {
            liar.add(GHOST, 65 * KIB);
            world.step(0, new Event.NodeFrame(NodeId.appserver(3), new Frame.Plain(liar.batch(i, i + 1))));
        }
        assertThat(liar.bytes()).isGreaterThan(19L << 20);
        return world.cores.get(0).pendingBytes(3);
    }

    @Test
    void aLiarLeavesNoMoreBytesWaitingThanTheLimit() {
        long bound = USUAL.maxPendingBytes();
        Deployment world = new Deployment(1);
        assertThat(hoarded(world)).isBetween(bound - USUAL.maxEntryBytes(), bound);
        CoreStatus status = world.cores.get(0).status();
        assertThat(status.gauges())
                .containsEntry("pending_bytes", world.cores.get(0).pendingBytes(3));
        assertThat(status.counters()).containsKey("batch_full");
        Deployment unbounded = new Deployment(
                1, client -> true, limits(USUAL.maxEntryBytes(), USUAL.maxBatchBytes(), Integer.MAX_VALUE));
        assertThat(hoarded(unbounded)).as("by count alone").isGreaterThan(19L << 20);
        assertThat((long) USUAL.maxPendingEntries() * USUAL.maxEntryBytes()).isGreaterThan(1L << 30);
    }

    @Test
    void oneLiarsShareIsNotTheOthers() {
        Deployment world = new Deployment(2);
        hoarded(world);
        TestClient near = world.client(1, 0);
        TestClient far = world.client(2, 1);
        near.open();
        far.open();
        for (int i = 1; i <= 20; i++) {
            near.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
            far.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
            world.run(40);
        }
        world.run(3_000);
        assertThat(world.cores.get(0).version().get(1)).isEqualTo(21);
        assertThat(world.cores.get(0).pendingBytes(1)).isZero();
        CoreStatus status = world.cores.get(0).status();
        assertThat(status.certified().get(0)).isEqualTo(21);
        assertThat(status.certified().get(1)).isEqualTo(21);
    }

    @Test
    void whatIsNotTakenIsTakenWhenWhatWaitedIsDelivered() {
        Deployment world = new Deployment(3, client -> true, NARROW);
        List<Entry> delivered = new ArrayList<>();
        Logs logs = new Logs(world.settings.get(0));
        EntryIntake intake = new EntryIntake(world.settings.get(0), logs);
        Made first = new Made(world, 1);
        Made second = new Made(world, 2);
        first.add(VersionVector.zero(4), 700);
        for (int i = 0; i < 8; i++) {
            second.add(VersionVector.of(0, 1, 0, 0), 700);
        }
        int taken = 0;
        while (intake.accept(second.batch(taken, taken + 1)) == BatchOutcome.ADDED) {
            taken++;
        }
        assertThat(taken).isBetween(2, 5);
        assertThat(logs.of(2).pendingBytes()).isBetween(3L * KIB, 4L * KIB);
        assertThat(intake.accept(second.batch(taken, taken + 1))).isEqualTo(BatchOutcome.FULL);
        assertThat(intake.accept(first.batch(0, 1))).isEqualTo(BatchOutcome.ADDED);
        assertThat(logs.of(2).pendingBytes()).isZero();
        delivered.addAll(logs.takeDelivered());
        assertThat(delivered).hasSize(1 + taken);
        assertThat(intake.accept(second.batch(taken, taken + 2))).isEqualTo(BatchOutcome.ADDED);
        delivered.addAll(logs.takeDelivered());
        assertThat(delivered).hasSize(3 + taken);
    }

    @Test
    void whatIsTakenBackWaitsNoMore() {
        Deployment world = new Deployment(4);
        Logs logs = new Logs(world.settings.get(0));
        EntryIntake intake = new EntryIntake(world.settings.get(0), logs);
        Made liar = new Made(world, 3);
        liar.add(VersionVector.zero(4), KIB);
        liar.add(GHOST, KIB);
        liar.add(GHOST, KIB);
        assertThat(intake.accept(liar.batch(0, 3))).isEqualTo(BatchOutcome.ADDED);
        assertThat(logs.of(3).pendingBytes()).isEqualTo(liar.bytes() - liar.entries.get(0).length);
        logs.takeBackWrongBranch(3, 2);
        assertThat(logs.of(3).pendingBytes()).isEqualTo(liar.entries.get(1).length);
        logs.takeBackWrongBranch(3, 0);
        assertThat(logs.of(3).pendingBytes()).isZero();
    }

    /** Every server may keep four waiting entries of an origin; one was cut off, and a liar fills its share everywhere. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aServerThatWasCutOffCatchesUpThroughTheNarrowestBound(long seed) {
        Deployment world = new Deployment(seed, client -> true, NARROW);
        Made liar = new Made(world, 3);
        List<TestClient> clients = new ArrayList<>();
        for (int server = 0; server < 3; server++) {
            clients.add(world.client(1 + server, server));
            clients.get(server).open();
        }
        world.open = (from, to) -> !from.equals(NodeId.appserver(2)) && !to.equals(NodeId.appserver(2));
        for (int i = 0; i < 30; i++) {
            liar.add(GHOST, 500);
            for (int server = 0; server < 3; server++) {
                clients.get(server).update("set", "aw-set", Operation.of("add", Value.of(new byte[300 + i])));
                world.step(server, new Event.NodeFrame(NodeId.appserver(3), new Frame.Plain(liar.batch(i, i + 1))));
            }
            world.run(60);
        }
        world.open = (from, to) -> true;
        world.run(20_000);
        for (int server = 0; server < 3; server++) {
            assertThat(world.cores.get(server).version().get(0))
                    .as("of 0 at %d", server)
                    .isEqualTo(31);
            assertThat(world.cores.get(server).version().get(1))
                    .as("of 1 at %d", server)
                    .isEqualTo(31);
            assertThat(world.cores.get(server).version().get(2))
                    .as("of 2 at %d", server)
                    .isEqualTo(31);
            assertThat(world.cores.get(server).pendingBytes(3)).isLessThanOrEqualTo(4 * KIB);
        }
    }

    @Test
    void aBoundBelowABatchOrAnEntryIsRefused() {
        assertThatThrownBy(() -> limits(2 * KIB, 4 * KIB, 4 * KIB - 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limits(4 * KIB, 2 * KIB, 4 * KIB - 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(limits(4 * KIB, 4 * KIB, 4 * KIB).maxPendingBytes()).isEqualTo(4 * KIB);
    }
}
