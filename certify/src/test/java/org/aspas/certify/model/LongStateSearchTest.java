package org.aspas.certify.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole state search, with -Pmodel: docs/model.md has the bounds, the figures, and what is left out and why. */
@Tag("model")
class LongStateSearchTest {
    /** As many states as fit into the memory that the profile has. */
    private static final int MOST = 20_000_000;

    private static void exhaust(Bounds bounds) {
        search(bounds, Integer.MAX_VALUE);
    }

    private static void search(Bounds bounds, int most) {
        Search.Report report = new Search(bounds, most, "").run();
        System.out.println(bounds + ": " + report);
        assertThat(report.finding()).isEmpty();
    }

    @Test
    void twoContentsTwoAttemptsAndAColdStartAtOneNumber() {
        exhaust(new Bounds(1, 2, 2, 1, 0, 0));
    }

    @Test
    void twoContentsAndThreeAttemptsAtOneNumber() {
        search(new Bounds(1, 2, 3, 0, 0, 0), MOST);
    }

    /** It is never taken for the first day: only who is taught by three others signs again, and the liar with one that missed all are two. */
    @Test
    void aLostRecordBesideTheLiar() {
        exhaust(new Bounds(1, 2, 1, 1, 1, 0));
    }

    @Test
    void aLostRecordAndTwoColdStartsAtOneNumber() {
        search(new Bounds(1, 2, 1, 2, 1, 0), MOST);
    }

    @Test
    void twoNumbersAndTwoAttempts() {
        search(new Bounds(2, 1, 2, 0, 0, 0), MOST);
    }

    @Test
    void twoNumbersAndAColdStart() {
        exhaust(new Bounds(2, 2, 1, 1, 0, 0));
    }
}
