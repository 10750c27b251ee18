package org.aspas.emulab.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.ShippedExperiments;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoadedExperimentTest {
    private static final double STARTING_SECONDS = 20;

    private static List<String> shipped() {
        return ShippedExperiments.names();
    }

    private static double hours(LoadedExperiment experiment) {
        double seconds = experiment.plan().plannedMicros() / 1e6
                + experiment.plan().steps().size() * STARTING_SECONDS;
        return seconds / 3600;
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void everyShippedExperimentIsRightAndNamesWhatThereIs(String name) throws Exception {
        LoadedExperiment experiment = LoadedExperiment.of(name, false);
        assertThat(experiment.plan().name()).isEqualTo(name);
        assertThat(experiment.plan().steps()).extracting(PlannedStep::id).doesNotHaveDuplicates();
        assertThat(experiment.worlds().keySet())
                .isEqualTo(experiment.worldTexts().keySet());
    }

    /** Nothing delays the ports of the bare ordering library: better said before the first step than at it. */
    @Test
    void whatCannotBeInAWorldIsAMistakeInTheFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("bare.yaml"), """
                name: bare
                about: Without delays.
                worlds: paper
                workloads: update counters
                clients: 1
                duration: 1 s
                systems: [ap, bft]
                """);
        assertThatThrownBy(() -> LoadedExperiment.of(file.toString(), false))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("bft")
                .hasMessageContaining("7");
    }

    @Test
    void aFaultThatNeverHappensIsSaidBeforeTheFirstStep(@TempDir Path folder) throws Exception {
        Path world = folder.resolve("late.yaml");
        Path file = Files.writeString(folder.resolve("mine.yaml"), """
                name: mine
                about: A world with a fault.
                worlds: %s
                workloads: update counters
                clients: 1
                duration: 10 s
                systems: aspas2
                """.formatted(world));
        String fault = "faults: [{at: 99999999 min, for: 1 s, kill: bftserver-0}]\n";
        Files.writeString(world, ShippedWorlds.file("lan").orElseThrow() + fault);
        assertThatThrownBy(() -> LoadedExperiment.of(file.toString(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "world " + world + " kills bftserver-0 at 5999999940 s, but the run ends at 10 s");
        Files.writeString(world, Files.readString(world).replace("99999999 min", "9 s"));
        assertThat(LoadedExperiment.of(file.toString(), false).plan().steps()).hasSize(1);
    }

    /** The folder of a run keeps each world by the name of its file: one would be measured in the other. */
    @Test
    void twoWorldsOfOneFileNameAreRefused(@TempDir Path folder) throws Exception {
        Path one = Files.createDirectory(folder.resolve("a")).resolve("mine.yaml");
        Path other = Files.createDirectory(folder.resolve("b")).resolve("mine.yaml");
        Files.writeString(one, ShippedWorlds.file("lan").orElseThrow());
        Files.writeString(other, ShippedWorlds.file("paper").orElseThrow());
        Path file = Files.writeString(folder.resolve("two.yaml"), """
                name: two
                about: Two worlds.
                worlds: [%s, %s]
                workloads: update counters
                clients: 1
                duration: 10 s
                systems: aspas2
                """.formatted(one, other));
        assertThatThrownBy(() -> LoadedExperiment.of(file.toString(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the worlds " + one + " and " + other + " have files of one name");
        Files.move(other, other.resolveSibling("yours.yaml"));
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(
                                other.toString(),
                                other.resolveSibling("yours.yaml").toString()));
        assertThat(LoadedExperiment.of(file.toString(), false).worlds()).hasSize(2);
    }

    @Test
    void thePaperTakesHalfADayAndItsQuickRunLessThanTwoHours() throws Exception {
        assertThat(hours(LoadedExperiment.of("paper", false))).isLessThan(12);
        assertThat(hours(LoadedExperiment.of("paper", true))).isLessThan(1.5);
        assertThat(hours(LoadedExperiment.of("smoke", false))).isLessThan(0.05);
    }
}
