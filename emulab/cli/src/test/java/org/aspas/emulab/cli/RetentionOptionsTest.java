package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** How long things are kept, as the command lines say it. */
class RetentionOptionsTest {
    @Command
    private static final class Some {
        @Mixin
        private RetentionOptions retention = new RetentionOptions();
    }

    private static RetentionLimits limits(String... arguments) {
        Some some = new Some();
        CommandLine line = new CommandLine(some);
        line.parseArgs(arguments);
        return some.retention.limits(line.getCommandSpec());
    }

    @Test
    void withoutOptionsAllIsUsual() {
        assertThat(limits()).isEqualTo(RetentionLimits.USUAL);
    }

    @Test
    void whatIsGivenIsTakenAndPassedOn() {
        String[] given = {
            "--retain-time", "60", "--retain-bytes", "3", "--evidence-time", "3600", "--evidence-bytes", "5"
        };
        RetentionLimits limits = limits(given);
        assertThat(limits.millis()).isEqualTo(60_000);
        assertThat(limits.bytes()).isEqualTo(3 << 20);
        assertThat(limits.leafMillis()).isEqualTo(3_600_000);
        assertThat(limits.leafBytes()).isEqualTo(5 << 20);
        Some some = new Some();
        new CommandLine(some).parseArgs(given);
        assertThat(limits(some.retention.arguments().toArray(String[]::new))).isEqualTo(limits);
    }

    @Test
    void whatIsOutOfRangeIsNamed(@TempDir Path folder) {
        CommandRun run = CommandRun.of(
                "emulab",
                "growth",
                "--retain-time",
                "0",
                "--dir",
                folder.resolve("new").toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.errors()).contains("--retain-time is 0, but must be 1 to 31622400");
        assertThat(folder.resolve("new")).doesNotExist();
    }

    @Test
    void theDeploymentSaysHowManyCertificates(@TempDir Path folder) throws Exception {
        String directory = folder.resolve("lab").toString();
        assertThat(CommandRun.of("init", directory, "--retain-certificates", "1")
                        .exit())
                .isEqualTo(2);
        assertThat(CommandRun.of("init", directory, "--retain-certificates", "64")
                        .exit())
                .isZero();
        assertThat(new DeploymentDirectory(Path.of(directory))
                        .descriptor()
                        .limits()
                        .retainedCertificates())
                .isEqualTo(64);
    }
}
