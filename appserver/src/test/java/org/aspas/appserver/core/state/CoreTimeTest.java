package org.aspas.appserver.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the origin of a shell's clock, what happened before the first tick is as old as the process. */
class CoreTimeTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 5, -1_000_000_000_000L, 1_000_000_000_000L})
    void timeBeginsWithTheFirstTick(long origin) {
        CoreTime time = new CoreTime();
        assertThat(time.now()).isZero();
        time.tick(origin, 0);
        assertThat(time.now()).isZero();
        time.tick(origin + 1_000, 0);
        assertThat(time.now()).isEqualTo(1_000);
    }
}
