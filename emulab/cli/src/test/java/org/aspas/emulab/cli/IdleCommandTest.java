package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code emulab idle}: what it refuses, and what it measures of processes that have nothing to do. */
class IdleCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @ParameterizedTest
    @CsvSource({"--sessions,0", "--sessions,1001", "--seconds,0", "--heap,63", "--bound,0"})
    void whatIsOutsideARangeIsWrongUsage(String option, String value) {
        CommandRun run = CommandRun.of("emulab", "idle", folder.toString(), option, value);
        assertThat(run.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.errors()).contains(option + " is " + value);
        assertThat(folder).isEmptyDirectory();
    }

    @Tag("crash")
    @Test
    void idleNodesAndSessionsAreMeasured() throws Exception {
        String lab = folder.resolve("lab").toString();
        CommandRun made = CommandRun.of(FreePorts.choose().init(lab));
        assertThat(made.exit()).as(made.errors()).isZero();

        CommandRun run = CommandRun.of(
                "emulab", "idle", lab, "--sessions", "50", "--seconds", "2", "--bound", "1000000000", "--json");
        assertThat(run.exit()).as(run.out() + run.errors()).isZero();
        JsonNode json = new ObjectMapper().readTree(run.out());
        assertThat(json.path("idle")).hasSize(2);
        for (JsonNode part : json.path("idle")) {
            assertThat(part.path("nodes")).hasSize(8);
            assertThat(part.path("certificates").asLong(-1)).isZero();
        }
        assertThat(json.path("heap_bytes_with").asLong()).isPositive();
        assertThat(json.path("direct_bytes_with").asLong()).isPositive();
        assertThat(json.path("heap_bytes_per_session").isNumber()).isTrue();
    }
}
