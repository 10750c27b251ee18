package org.aspas.appserver.core.certification;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.appserver.core.certification.CertificationLag.WaitingTimes;
import org.junit.jupiter.api.Test;

class WaitingTimesTest {
    @Test
    void theOldestThatWaitsHasTheAge() {
        WaitingTimes times = new WaitingTimes();
        assertThat(times.oldestMillis(5)).isZero();
        times.seen(3, 10);
        times.seen(3, 20);
        times.seen(4, 30);
        assertThat(times.oldestMillis(100)).isEqualTo(90);
        times.certified(2);
        assertThat(times.oldestMillis(100)).isEqualTo(90);
        times.certified(3);
        assertThat(times.oldestMillis(100)).isEqualTo(70);
        times.certified(4);
        assertThat(times.oldestMillis(100)).isZero();
    }

    @Test
    void tooManyMarksAreMergedAndNothingLooksYounger() {
        WaitingTimes times = new WaitingTimes();
        int entries = 20_000;
        for (int entry = 1; entry <= entries; entry++) {
            times.seen(entry, entry);
        }
        long before = times.oldestMillis(entries);
        assertThat(before).isEqualTo(entries - 1);
        for (int certified = 1; certified < entries; certified++) {
            times.certified(certified);
            long age = times.oldestMillis(entries);
            assertThat(age).isBetween((long) entries - certified - 1, before);
            before = age;
        }
        times.certified(entries);
        assertThat(times.oldestMillis(entries)).isZero();
    }
}
