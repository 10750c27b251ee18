package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.aspas.appserver.net.CoreActor.Backlog;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final int LONG_ENOUGH = 100;

    private final Backlog backlog = new Backlog();

    /** Asks as often as it takes to forget what was before, while each event waits so long. */
    private int whileEventsWait(long micros) {
        int percent = 0;
        for (int i = 0; i < LONG_ENOUGH; i++) {
            backlog.waited(TimeUnit.MICROSECONDS.toNanos(micros));
            backlog.waited(TimeUnit.MICROSECONDS.toNanos(micros));
            percent = backlog.percent();
        }
        return percent;
    }

    @Test
    void nothingWaitsWhereNothingHappens() {
        assertThat(backlog.percent()).isZero();
    }

    @Test
    void whatWaitsTwiceAsLongCountsTwice() {
        int one = whileEventsWait(500);
        int two = whileEventsWait(1_000);
        assertThat(one).isBetween(30, 36);
        assertThat(two).isBetween(2 * one - 2, 2 * one + 2);
    }

    @Test
    void itIsNeverAboveAHundred() {
        assertThat(whileEventsWait(1_000_000)).isEqualTo(100);
    }

    @Test
    void oneLongWaitIsForgotten() {
        whileEventsWait(10);
        backlog.waited(TimeUnit.MILLISECONDS.toNanos(8));
        assertThat(backlog.percent()).isBetween(1, 99);
        assertThat(whileEventsWait(10)).isLessThan(2);
    }

    @Test
    void aClockThatSeemsToGoBackIsNoWait() {
        backlog.waited(-1_000_000_000);
        assertThat(backlog.percent()).isZero();
    }
}
