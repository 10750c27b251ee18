package org.aspas.bftcluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IncarnationCheckTest {
    private static final int OWN = 5;

    private final IncarnationCheck check = new IncarnationCheck(2);

    private int looksUntilStale(int own, List<Integer> others) {
        for (int look = 1; look <= 10; look++) {
            if (check.isStale(own, others)) {
                return look;
            }
        }
        return 0;
    }

    @Test
    void theOthersInAnotherLifeAreBelievedAfterAWhile() {
        assertThat(looksUntilStale(OWN, List.of(7, 0, 7))).isEqualTo(IncarnationCheck.PATIENCE);
    }

    /** Two of four wait for a third to vote in the incarnation that they began. */
    @Test
    void anIncarnationThatHasNoNameYetCountsToo() {
        assertThat(looksUntilStale(OWN, List.of(IncarnationCheck.NEW, IncarnationCheck.NEW)))
                .isEqualTo(IncarnationCheck.PATIENCE);
    }

    @Test
    void aLiarMovesNobody() {
        assertThat(looksUntilStale(OWN, List.of(OWN, OWN, 7))).isZero();
        assertThat(looksUntilStale(OWN, List.of(OWN, 8, 7))).isZero();
    }

    @Test
    void whoStartsIsInNoLifeYet() {
        assertThat(looksUntilStale(OWN, List.of(IncarnationCheck.NONE, IncarnationCheck.NONE, IncarnationCheck.NONE)))
                .isZero();
        assertThat(looksUntilStale(IncarnationCheck.NONE, List.of(7, 7, 7))).isZero();
        assertThat(looksUntilStale(IncarnationCheck.NEW, List.of(7, 7, 7))).isZero();
        assertThat(looksUntilStale(OWN, List.of())).isZero();
    }

    @Test
    void aLookThatShowsNothingBeginsTheCountAgain() {
        for (int i = 0; i < 5; i++) {
            for (int look = 1; look < IncarnationCheck.PATIENCE; look++) {
                assertThat(check.isStale(OWN, List.of(7, 7))).isFalse();
            }
            assertThat(check.isStale(OWN, List.of(7))).isFalse();
        }
    }
}
