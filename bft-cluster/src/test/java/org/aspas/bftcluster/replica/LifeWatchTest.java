package org.aspas.bftcluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LifeWatchTest {
    private static final int OWN = 5;

    private final LifeWatch watch = new LifeWatch(2);

    private int looksUntilLeftOver(int own, List<Integer> others) {
        for (int look = 1; look <= 10; look++) {
            if (watch.isLeftOver(own, others)) {
                return look;
            }
        }
        return 0;
    }

    @Test
    void theOthersInAnotherLifeAreBelievedAfterAWhile() {
        assertThat(looksUntilLeftOver(OWN, List.of(7, 0, 7))).isEqualTo(LifeWatch.PATIENCE);
    }

    /** Two of four wait for a third to vote in the life that they began. */
    @Test
    void aLifeThatHasNoNameYetCountsToo() {
        assertThat(looksUntilLeftOver(OWN, List.of(LifeWatch.NEW, LifeWatch.NEW)))
                .isEqualTo(LifeWatch.PATIENCE);
    }

    @Test
    void aLiarMovesNobody() {
        assertThat(looksUntilLeftOver(OWN, List.of(OWN, OWN, 7))).isZero();
        assertThat(looksUntilLeftOver(OWN, List.of(OWN, 8, 7))).isZero();
    }

    @Test
    void whoStartsIsInNoLifeYet() {
        assertThat(looksUntilLeftOver(OWN, List.of(LifeWatch.NONE, LifeWatch.NONE, LifeWatch.NONE)))
                .isZero();
        assertThat(looksUntilLeftOver(LifeWatch.NONE, List.of(7, 7, 7))).isZero();
        assertThat(looksUntilLeftOver(LifeWatch.NEW, List.of(7, 7, 7))).isZero();
        assertThat(looksUntilLeftOver(OWN, List.of())).isZero();
    }

    @Test
    void aLookThatShowsNothingBeginsTheCountAgain() {
        for (int i = 0; i < 5; i++) {
            for (int look = 1; look < LifeWatch.PATIENCE; look++) {
                assertThat(watch.isLeftOver(OWN, List.of(7, 7))).isFalse();
            }
            assertThat(watch.isLeftOver(OWN, List.of(7))).isFalse();
        }
    }
}
