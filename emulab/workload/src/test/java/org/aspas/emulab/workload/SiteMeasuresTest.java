package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SiteMeasuresTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private static Write.Confirmed confirmed(long lagMillis) {
        return new Write.Confirmed(1, lagMillis * MILLI);
    }

    @Test
    void clientsOfASiteCountTogetherAndOnlyThoseOfTauOneFromSending() {
        Measures measures = new Measures(System.nanoTime(), TimeUnit.MINUTES.toNanos(1), client -> client % 2);
        measures.confirmed(0, ToleranceClass.TAU_1, confirmed(30), 100 * MILLI);
        measures.confirmed(2, ToleranceClass.TAU_UNBOUNDED, confirmed(50), 900 * MILLI);
        measures.confirmed(3, ToleranceClass.TAU_UNBOUNDED, confirmed(10), 900 * MILLI);
        measures.confirmed(4, ToleranceClass.TAU_1, Write.Confirmed.WITHOUT_CERTIFICATE, MILLI);
        SiteMeasures sites = measures.sites();
        assertThat(sites.sites()).containsExactly(0, 1);
        assertThat(sites.lag(0).getTotalCount()).isEqualTo(2);
        assertThat(sites.lag(0).getMean()).isBetween(39_900.0, 40_100.0);
        assertThat(sites.sendingToConfirmation(0).getTotalCount()).isEqualTo(1);
        assertThat(sites.sendingToConfirmation(0).getMean()).isBetween(99_900.0, 100_100.0);
        assertThat(sites.sendingToConfirmation(1).getTotalCount()).isZero();
        assertThat(measures.lag(0).getTotalCount())
                .as("the lag of all counts every client")
                .isEqualTo(3);
    }
}
