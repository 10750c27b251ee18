package org.aspas.emulab.experiments.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the system tells of itself in files may be anything. */
class MachineFactsTest {
    @Test
    void aFileThatIsNotAsExpectedSaysNothing() {
        assertThat(MachineFacts.load(List.of("1.50 2.0 3.0 1/2 3"))).isEqualTo(1.5);
        assertThat(MachineFacts.load(List.of("1.50"))).isEqualTo(1.5);
        assertThat(MachineFacts.load(List.of())).isNegative();
        assertThat(MachineFacts.load(List.of("", ""))).isNegative();
        assertThat(MachineFacts.load(List.of("much"))).isNegative();
        assertThat(MachineFacts.kibibytes("16 kB")).isEqualTo(16);
        assertThat(MachineFacts.kibibytes("much kB")).isNegative();
        assertThat(MachineFacts.kibibytes("")).isNegative();
    }
}
