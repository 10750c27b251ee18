package org.aspas.emulab.sim.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Bytes enter a link of bounded bandwidth one frame after the other. */
class EntranceTest {
    private final Entrance entrance = new Entrance();

    @Test
    void aFrameTakesItsTimeAndTheNextOneWaitsForIt() {
        assertThat(entrance.entered(100, 40_000)).isEqualTo(140);
        assertThat(entrance.entered(110, 40_000)).isEqualTo(180);
        assertThat(entrance.entered(500, 40_000)).as("the link is free again").isEqualTo(540);
    }

    @Test
    void partsOfAMicrosecondAddUp() {
        assertThat(entrance.entered(0, 400)).isEqualTo(1);
        assertThat(entrance.entered(0, 400)).isEqualTo(1);
        assertThat(entrance.entered(0, 400)).isEqualTo(2);
    }

    @Test
    void withoutABoundAFrameEntersAtOnce() {
        assertThat(entrance.entered(7, 0)).isEqualTo(7);
        assertThat(entrance.entered(3, 0)).as("in the order of sending").isEqualTo(7);
    }
}
