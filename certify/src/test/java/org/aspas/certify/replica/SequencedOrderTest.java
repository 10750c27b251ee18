package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.machine.TotalOrder;
import org.junit.jupiter.api.Test;

/** The order in memory: one sequence for all, a quorum to extend it, snapshots for those who join. */
class SequencedOrderTest {
    private final SequencedOrder order = new SequencedOrder(3);

    /** Appends every command to its state. */
    private static final class Tape implements OrderedMachine {
        private ByteArrayOutputStream state = new ByteArrayOutputStream();

        @Override
        public byte[] apply(byte[] command) {
            state.writeBytes(command);
            return snapshot();
        }

        @Override
        public byte[] snapshot() {
            return state.toByteArray();
        }

        @Override
        public void restore(byte[] snapshot) {
            state = new ByteArrayOutputStream();
            state.writeBytes(snapshot);
        }
    }

    @Test
    void allMembersGetTheSameSequenceEachInItsOwnTime() {
        Tape[] tapes = {new Tape(), new Tape(), new Tape()};
        TotalOrder first = order.join(0, tapes[0]);
        order.join(1, tapes[1]);
        first.submit(new byte[] {1});
        assertThat(order.order(0)).as("two of three").isFalse();
        order.join(2, tapes[2]);
        first.submit(new byte[] {2});
        assertThat(order.order(1)).isTrue();
        assertThat(order.order(0)).isTrue();
        assertThat(order.deliver(0)).hasValue(new byte[] {2});
        assertThat(order.deliver(0)).hasValue(new byte[] {2, 1});
        assertThat(order.deliver(0)).isEmpty();
        assertThat(order.hasNext(1)).isTrue();
        order.settle();
        assertThat(tapes[1].snapshot()).isEqualTo(new byte[] {2, 1});
        assertThat(tapes[2].snapshot()).isEqualTo(new byte[] {2, 1});
    }

    @Test
    void aMemberThatJoinsTakesOverTheStateAndOneThatLeftIsHeardNoMore() {
        TotalOrder first = order.join(0, new Tape());
        order.join(1, new Tape());
        TotalOrder third = order.join(2, new Tape());
        first.submit(new byte[] {7});
        order.settle();
        third.close();
        third.submit(new byte[] {8});
        assertThat(order.waiting()).isZero();
        assertThat(third.isReady()).isFalse();
        Tape late = new Tape();
        assertThatThrownBy(() -> order.join(1, late)).isInstanceOf(IllegalArgumentException.class);
        order.join(2, late);
        assertThat(late.snapshot()).isEqualTo(new byte[] {7});
    }

    @Test
    void theOrderBeginsAnewWhenAllHaveLeft() {
        for (int life = 0; life < 2; life++) {
            Tape tape = new Tape();
            TotalOrder first = order.join(0, tape);
            TotalOrder second = order.join(1, new Tape());
            TotalOrder third = order.join(2, new Tape());
            first.submit(new byte[] {(byte) life});
            order.settle();
            assertThat(tape.snapshot()).isEqualTo(new byte[] {(byte) life});
            first.close();
            second.close();
            third.close();
        }
    }
}
