package org.aspas.emulab.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.aspas.emulab.experiments.Flooding.CpuLoad;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CpuLoadTest {
    @Test
    void itBurnsUntilItIsClosed() {
        CpuLoad burner = new CpuLoad(0.5, 2);
        try (burner) {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> burner.seconds() > 0.01);
        }
        double burnt = burner.seconds();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("burn-"));
        assertThat(burner.seconds()).isEqualTo(burnt);
    }

    @Test
    void nothingIsBurntWhereAttackersTookNothing() {
        try (CpuLoad burner = new CpuLoad(0, 1)) {
            assertThat(burner.seconds()).isLessThan(1);
        }
    }
}
