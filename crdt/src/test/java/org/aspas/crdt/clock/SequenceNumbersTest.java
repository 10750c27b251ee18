package org.aspas.crdt.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequenceNumbersTest {
    private static final long LATER = 1L << 40;

    @Test
    void aSequenceIsAnIncarnationAndANumber() {
        assertThat(SequenceNumbers.number(5)).isEqualTo(5);
        assertThat(SequenceNumbers.number(LATER)).isZero();
        assertThat(SequenceNumbers.number(3 * LATER + 7)).isEqualTo(7);
        assertThat(SequenceNumbers.LAST_NUMBER).isEqualTo(LATER - 1);
    }

    @Test
    void noEntryHasTheNumberZero() {
        for (long sequence : new long[] {0, LATER, 2 * LATER, -1, Long.MIN_VALUE}) {
            assertThat(SequenceNumbers.isSequence(sequence)).isFalse();
            assertThatThrownBy(() -> new Dot(0, sequence)).isInstanceOf(IllegalArgumentException.class);
        }
        for (long sequence : new long[] {1, LATER - 1, LATER + 1, Long.MAX_VALUE}) {
            assertThat(SequenceNumbers.isSequence(sequence)).isTrue();
            assertThat(new Dot(0, sequence).sequence()).isEqualTo(sequence);
        }
    }

    @Test
    void whatIsNotOfTheFirstIncarnationIsLater() {
        assertThat(SequenceNumbers.isLater(0)).isFalse();
        assertThat(SequenceNumbers.isLater(LATER - 1)).isFalse();
        assertThat(SequenceNumbers.isLater(LATER)).isTrue();
        assertThat(SequenceNumbers.isLater(Long.MAX_VALUE)).isTrue();
        assertThat(SequenceNumbers.isLater(VersionVector.of(0, LATER - 1))).isFalse();
        assertThat(SequenceNumbers.isLater(VersionVector.of(0, LATER))).isTrue();
    }
}
