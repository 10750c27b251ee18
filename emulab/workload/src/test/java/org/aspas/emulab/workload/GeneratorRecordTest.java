package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The Little check on runs that are made up. */
class GeneratorRecordTest {
    @Test
    void twoClientsThatAreBusyThreeQuartersOfTheTime() {
        GeneratorRecord record = new GeneratorRecord();
        // Two places for 1,000 ns each; four operations of 375 ns. N = 2, X·R = 4 · 375 / 1,000 = 1.5.
        record.held(1_000);
        record.held(1_000);
        for (int operation = 0; operation < 4; operation++) {
            record.responded(375);
        }
        assertThat(record.little()).isEqualTo(2 / 1.5);
    }

    @Test
    void anOpenLoopWhoseOperationsBeginLate() {
        GeneratorRecord record = new GeneratorRecord();
        // Each operation was the system's for 100 ns, but should have begun 300 ns earlier.
        for (int operation = 0; operation < 5; operation++) {
            record.began(300);
            record.ended(100);
            record.responded(400);
        }
        assertThat(record.little()).isEqualTo(0.25);
        assertThat(record.mostOpen()).isEqualTo(1);
        assertThat(record.open()).isZero();
    }
}
