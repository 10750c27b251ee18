package org.aspas.appserver.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentKeysTest {
    private long now = TimeUnit.HOURS.toNanos(3);
    private final RecentKeys recent = new RecentKeys(() -> now);

    private void passSeconds(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"likes:17", "", "object-999999"})
    void aKeyIsNewOnceAndAgainWhenItWasNotUsedForAWhile(String key) {
        assertThat(recent.isNew(key)).isTrue();
        assertThat(recent.isNew(key)).isFalse();
        passSeconds(RecentKeys.SECONDS);
        assertThat(recent.isNew(key)).as("just so long").isFalse();
        passSeconds(RecentKeys.SECONDS);
        assertThat(recent.isNew(key)).as("each use counts").isFalse();
        passSeconds(RecentKeys.SECONDS + 1);
        assertThat(recent.isNew(key)).isTrue();
    }

    @Test
    void aThousandKeysAreToldApart() {
        int known = 0;
        for (int key = 0; key < 1_000; key++) {
            assertThat(recent.isNew("object-" + key)).isTrue();
        }
        for (int key = 0; key < 1_000; key++) {
            known += recent.isNew("object-" + key) ? 0 : 1;
        }
        assertThat(known).as("two of them may share a place").isGreaterThan(900);
    }

    @Test
    void theTimeMayHaveAnyOrigin() {
        now = Long.MIN_VALUE;
        assertThat(recent.isNew("a")).isTrue();
        assertThat(recent.isNew("a")).isFalse();
        now = -1;
        assertThat(recent.isNew("a")).isTrue();
        passSeconds(1);
        assertThat(recent.isNew("a")).isFalse();
    }
}
