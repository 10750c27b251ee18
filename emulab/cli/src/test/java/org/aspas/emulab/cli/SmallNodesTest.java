package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.emulab.cli.UpCommand.SmallNodes;
import org.junit.jupiter.api.Test;

/** Nodes that share a machine are small, unless the user wants something else. */
class SmallNodesTest {
    private static final List<String> LAUNCHER =
            List.of("-XX:+UseParallelGC", "-XX:+UseTransparentHugePages", "-Dkept=yes");

    @Test
    void aMachineWithTwoNodesKeepsTheSettingsForSpeed() {
        assertThat(SmallNodes.options(LAUNCHER, "", 2)).isEqualTo(LAUNCHER);
    }

    @Test
    void manyNodesAreSmall() {
        assertThat(SmallNodes.options(LAUNCHER, "", 8))
                .contains("-Dkept=yes", "-XX:+UseSerialGC")
                .anyMatch(option -> option.matches("-Xmx[0-9]+m"))
                .doesNotContain("-XX:+UseParallelGC", "-XX:+UseTransparentHugePages");
    }

    /** It would be the second one, with which no node starts. */
    @Test
    void aCollectorFromElsewhereDoesNotStay() {
        assertThat(SmallNodes.options(List.of("-XX:+UseZGC"), "", 8))
                .contains("-XX:+UseSerialGC")
                .doesNotContain("-XX:+UseZGC");
    }

    /** The last of two options counts; two collectors would be an error. */
    @Test
    void whatTheUserWantsStandsAboveThat() {
        List<String> given = List.of("-XX:+UseParallelGC", "-Dkept=yes", "-XX:+UseG1GC", "-Xmx2g");
        List<String> options = SmallNodes.options(given, " -XX:+UseG1GC  -Xmx2g ", 8);
        assertThat(options).endsWith("-XX:+UseG1GC", "-Xmx2g").doesNotContain("-XX:+UseSerialGC", "-XX:+UseParallelGC");
        assertThat(options).containsOnlyOnce("-XX:+UseG1GC");
    }
}
