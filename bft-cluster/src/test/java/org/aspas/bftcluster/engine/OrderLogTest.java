package org.aspas.bftcluster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.aspas.certify.machine.OrderedMachine;
import org.junit.jupiter.api.Test;

class OrderLogTest {
    private static final int PERIOD = 5;

    /** The sum of all command bytes, and how many commands there were. */
    private static final class Sum implements OrderedMachine {
        private int sum;
        private int count;

        @Override
        public byte[] apply(byte[] command) {
            for (byte b : command) {
                sum = 31 * sum + b;
            }
            count++;
            return snapshot();
        }

        @Override
        public byte[] snapshot() {
            return ByteBuffer.allocate(8).putInt(sum).putInt(count).array();
        }

        @Override
        public void restore(byte[] snapshot) {
            if (snapshot.length != 8) {
                throw new IllegalArgumentException("a snapshot has 8 bytes");
            }
            sum = ByteBuffer.wrap(snapshot).getInt();
            count = ByteBuffer.wrap(snapshot, 4, 4).getInt();
        }
    }

    private static List<byte[]> batch(int instance) {
        return List.of(new byte[] {(byte) instance}, new byte[] {(byte) (instance + 1), 7});
    }

    private static OrderLog log(Sum machine, int instances) {
        OrderLog log = new OrderLog(machine, PERIOD);
        go(log, machine, 0, instances);
        return log;
    }

    private static void go(OrderLog log, Sum machine, int from, int to) {
        for (int instance = from; instance < to; instance++) {
            batch(instance).forEach(machine::apply);
            log.applied(instance, batch(instance));
        }
    }

    @Test
    void atEveryKeptPositionTheStateMakesAnotherReplicaEqual() {
        for (int reached = 0; reached < 40; reached++) {
            OrderLog log = log(new Sum(), reached);
            assertThat(log.upTo(reached)).isEmpty();
            for (int position = Math.max(OrderLog.START, reached - 1 - 2 * PERIOD); position < reached; position++) {
                byte[] bytes = log.upTo(position).orElseThrow().encode();
                Sum other = new Sum();
                OrderLog copy = log(other, Math.min(3, position));
                copy.install(TransferredState.decode(bytes).orElseThrow());
                Sum direct = new Sum();
                OrderLog right = log(direct, position + 1);
                assertThat(copy.position()).isEqualTo(position);
                assertThat(other.snapshot()).isEqualTo(direct.snapshot());
                go(copy, other, position + 1, position + 8);
                go(right, direct, position + 1, position + 8);
                assertThat(copy.upTo(position + 7).orElseThrow().encode())
                        .isEqualTo(right.upTo(position + 7).orElseThrow().encode());
            }
        }
    }

    @Test
    void replicasThatStartedFromATransferGiveTheSameBytesAsTheOthers() {
        OrderLog whole = log(new Sum(), 33);
        Sum late = new Sum();
        OrderLog copy = new OrderLog(late, PERIOD);
        copy.install(log(new Sum(), 28).upTo(27).orElseThrow());
        go(copy, late, 28, 33);
        for (int position = 27; position < 33; position++) {
            assertThat(copy.upTo(position).orElseThrow().encode())
                    .isEqualTo(whole.upTo(position).orElseThrow().encode());
        }
    }

    @Test
    void aLifeIsCalledAfterItsFirstCommandAlsoWhereItWasTransferred() {
        OrderLog log = new OrderLog(new Sum(), PERIOD);
        assertThat(log.incarnation()).isEqualTo(IncarnationCheck.NEW);
        log.begins(17);
        log.begins(18);
        for (int instance = 0; instance < 12; instance++) {
            log.applied(instance, batch(instance));
        }
        OrderLog copy = new OrderLog(new Sum(), PERIOD);
        copy.install(
                TransferredState.decode(log.upTo(11).orElseThrow().encode()).orElseThrow());
        assertThat(copy.incarnation()).isEqualTo(17);
    }

    /** Ten instances of two megabytes each: what is kept, and what travels to a replica that catches up, stays bounded. */
    @Test
    void longCommandsMakeSnapshotsComeSooner() {
        int most = (int) OrderLog.MOST_BYTES;
        List<byte[]> batch = List.of(new byte[most / 8], new byte[most / 8]);
        Sum machine = new Sum();
        OrderLog log = new OrderLog(machine, 500);
        Sum late = new Sum();
        OrderLog copy = new OrderLog(late, 500);
        for (int instance = 0; instance < 40; instance++) {
            batch.forEach(machine::apply);
            log.applied(instance, batch);
            assertThat(log.upTo(instance).orElseThrow().encode()).hasSizeLessThan(most + 1000);
            if (instance == 14) {
                copy.install(TransferredState.decode(log.upTo(14).orElseThrow().encode())
                        .orElseThrow());
            } else if (instance > 14) {
                batch.forEach(late::apply);
                copy.applied(instance, batch);
                assertThat(copy.upTo(instance).orElseThrow().encode())
                        .isEqualTo(log.upTo(instance).orElseThrow().encode());
            }
        }
        assertThat(log.upTo(10)).isEmpty();
    }

    @Test
    void aGapIsABugAndAnOlderStateIsLeftAlone() {
        Sum machine = new Sum();
        OrderLog log = log(machine, 12);
        byte[] before = machine.snapshot();
        assertThatThrownBy(() -> log.applied(13, batch(13))).isInstanceOf(IllegalStateException.class);
        log.install(log(new Sum(), 6).upTo(5).orElseThrow());
        assertThat(log.position()).isEqualTo(11);
        assertThat(machine.snapshot()).isEqualTo(before);
    }

    @Test
    void whatIsNoStateIsRefused() {
        byte[] right = log(new Sum(), 13).upTo(12).orElseThrow().encode();
        for (int length = 0; length < right.length; length++) {
            assertThat(TransferredState.decode(Arrays.copyOf(right, length))).isEmpty();
        }
        long seed = 20_261_121;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] broken = right.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            }
            TransferredState.decode(broken)
                    .ifPresent(state ->
                            assertThat(state.encode()).as("seed %d", seed).isEqualTo(broken));
        }
    }
}
