package org.aspas.certify.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole state search, with -Pmodel: docs/model.md has the bounds, the figures, and what is left out and why. */
@Tag("model")
class LongStateSearchTest {
    private static void exhaust(Bounds bounds) {
        Search.Report report = new Search(bounds, Integer.MAX_VALUE, "").run();
        System.out.println(bounds + ": " + report);
        assertThat(report.finding()).isEmpty();
    }

    @Test
    void twoContentsTwoAttemptsAndAColdStartAtOneNumber() {
        exhaust(new Bounds(1, 2, 2, 1, 0, 0));
    }

    @Test
    void twoContentsAndThreeAttemptsAtOneNumber() {
        exhaust(new Bounds(1, 2, 3, 0, 0, 0));
    }

    @Test
    void aLostRecordAndTwoColdStartsAtOneNumber() {
        exhaust(new Bounds(1, 2, 1, 2, 1, 0));
    }

    @Test
    void twoNumbersAndTwoAttempts() {
        exhaust(new Bounds(2, 1, 2, 0, 0, 0));
    }

    @Test
    void twoNumbersAndAColdStart() {
        exhaust(new Bounds(2, 2, 1, 1, 0, 0));
    }
}
