package org.aspas.emulab.sim.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CampaignTest {
    /** A campaign that went on after a thread had died would report runs as clean that were never made. */
    @Test
    void aRunWithoutAResultEndsTheCampaign() {
        AtomicInteger begun = new AtomicInteger();
        assertThatThrownBy(() -> Campaign.run(
                        1_000,
                        run -> {
                            begun.incrementAndGet();
                            throw new OutOfMemoryError("of a test");
                        },
                        2,
                        result -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("counted from 0, has no result")
                .hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(begun).as("one for each thread").hasValueLessThanOrEqualTo(2);
    }
}
