package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code emulab startup}: what it refuses, and what it measures of processes over a small filled store. */
class StartupCommandTest {
    private static final int ELEMENTS = 400;
    private static final int ROUNDS = 2;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static JsonNode json(CommandRun run) throws Exception {
        assertThat(run.exit()).as(run.out() + run.errors()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @ParameterizedTest
    @CsvSource({"--heap,31", "--repeat,0", "--repeat,101", "--rounds,0", "--rounds,10001"})
    void whatIsOutsideARangeIsWrongUsage(String option, String value) {
        CommandRun run = CommandRun.of("emulab", "startup", folder.toString(), option, value);
        assertThat(run.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.errors()).contains(option + " is " + value);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderWithoutADeploymentIsWrongUsage() {
        CommandRun run = CommandRun.of("emulab", "startup", folder.toString(), "--set", "large");
        assertThat(run.exit()).as(run.errors()).isEqualTo(ExitCodes.USAGE);
        assertThat(folder).isEmptyDirectory();
    }

    @Tag("crash")
    @Test
    void startsAndALargeSetAreMeasured() throws Exception {
        String lab = folder.resolve("set").toString();
        List<String> command = new ArrayList<>(List.of("emulab", "fill", lab, "--elements", "" + ELEMENTS));
        List<String> init = List.of(FreePorts.choose().init(lab));
        command.addAll(init.subList(2, init.size()));
        CommandRun filled = CommandRun.of(command.toArray(String[]::new));
        assertThat(filled.exit()).as(filled.out() + filled.errors()).isZero();

        JsonNode measured = json(CommandRun.of(
                "emulab", "startup", lab, "--set", "large", "--rounds", "" + ROUNDS, "--repeat", "1", "--json"));
        assertThat(measured.path("starts")).hasSize(5);
        for (JsonNode start : measured.path("starts")) {
            assertThat(start.path("seconds").asDouble()).isPositive();
            assertThat(start.path("processor_seconds").asDouble()).isPositive();
            assertThat(start.path("heap_bytes").asLong()).isPositive();
            assertThat(start.path("base_bytes").asLong()).isPositive();
        }
        assertThat(measured.path("certified_after_seconds")).hasSize(2);
        JsonNode set = measured.path("set");
        assertThat(set.path("key").asText()).isEqualTo("large");
        assertThat(set.path("elements").asLong()).isEqualTo(ELEMENTS);
        assertThat(set.path("times")).hasSize(8);
        assertThat(set.path("certificates")).hasSize(2);
        assertThat(set.path("page_elements").asDouble()).isPositive();
        assertThat(set.path("element_proof_bytes").asDouble()).isPositive();

        CommandRun unknown = CommandRun.of("emulab", "startup", lab, "--set", "nothing", "--repeat", "1");
        assertThat(unknown.exit()).as(unknown.out()).isEqualTo(ExitCodes.FAILED);
        assertThat(unknown.errors()).contains("nothing has no elements");
    }
}
