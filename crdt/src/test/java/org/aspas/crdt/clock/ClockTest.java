package org.aspas.crdt.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockTest {

    private static final long SEED = 7;

    @Test
    void dotsAreOrderedByOriginAndThenSequence() {
        assertThat(new Dot(0, 9)).isLessThan(new Dot(1, 1));
        assertThat(new Dot(1, 2)).isLessThan(new Dot(1, 10));
        assertThat(new Dot(3, 4)).isEqualTo(new Dot(3, 4)).hasToString("3:4");
    }

    @Test
    void dotsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new Dot(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Dot(0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void vectorsAreImmutable() {
        long[] components = {1, 2};
        VersionVector vector = VersionVector.of(components);
        components[0] = 9;
        vector.toArray()[1] = 9;
        assertThat(vector.with(0, 5)).isEqualTo(VersionVector.of(5, 2));
        assertThat(vector).isEqualTo(VersionVector.of(1, 2)).hasSameHashCodeAs(VersionVector.of(1, 2));
        assertThat(vector.size()).isEqualTo(2);
        assertThat(vector.sum()).isEqualTo(3);
        assertThat(vector).hasToString("[1, 2]");
    }

    @Test
    void badVectorsAreRefused() {
        VersionVector vector = VersionVector.of(1, 2);
        VersionVector longer = VersionVector.zero(3);
        assertThatThrownBy(() -> VersionVector.zero(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VersionVector.of(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.get(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.get(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.with(2, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.with(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.covers(new Dot(2, 1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.join(longer)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> vector.dominates(longer)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VersionVector.of(Long.MAX_VALUE, 1).sum()).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void vectorsAreComparedCausally() {
        VersionVector vector = VersionVector.of(1, 2);
        assertThat(vector.dominates(VersionVector.of(1, 2))).isTrue();
        assertThat(vector.dominates(VersionVector.of(1, 3))).isFalse();
        assertThat(vector.dominates(VersionVector.of(0, 2))).isTrue();
        assertThat(vector.dominates(VersionVector.of(2, 1))).isFalse();
        assertThat(vector.covers(new Dot(1, 2))).isTrue();
        assertThat(vector.covers(new Dot(1, 3))).isFalse();
    }

    @Test
    void joinIsTheLeastUpperBound() {
        Random random = new Random(SEED);
        for (int run = 0; run < 1000; run++) {
            VersionVector a = randomVector(random);
            VersionVector b = randomVector(random);
            VersionVector c = randomVector(random);
            assertThat(a.join(b)).as("seed %d", SEED).isEqualTo(b.join(a));
            assertThat(a.join(b).join(c)).isEqualTo(a.join(b.join(c)));
            assertThat(a.dominates(b)).isEqualTo(a.join(b).equals(a));
        }
    }

    private static VersionVector randomVector(Random random) {
        return VersionVector.of(random.nextInt(3), random.nextInt(3), random.nextInt(3));
    }
}
