package org.aspas.emulab.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the system tells in files is its own affair: a figure that cannot be read is left out, and ends nothing. */
class MachineMeterTest {
    @Test
    void aFileThatIsNotAsExpectedSaysNothing() {
        assertThat(MachineMeter.ticks("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1\n")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(MachineMeter.ticks("cpu  1 2 3\n")).containsExactly(1, 2, 3, 0, 0, 0, 0, 0);
        for (String strange :
                new String[] {"", "\n", "cpu  - - -", "cpu  1 x", "btime 1764432377", "cpu  99999999999999999999 1"}) {
            assertThat(MachineMeter.ticks(strange).length).as(strange).isEqualTo(8);
        }
        assertThat(MachineMeter.ticks("cpu  1 x 3")).containsOnly(0);
    }
}
