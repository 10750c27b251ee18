package org.aspas.emulab.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.node.Costs;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.Processors;
import org.aspas.emulab.sim.node.StepMeter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reports of campaigns that are made up: their JSON and their text are the recorded ones, byte by byte. With
 * -Daspas.reports=rewrite they are written anew, to be looked at.
 */
class RecordedCampaignTest {
    private static final Path RECORDED = Path.of("src/test/resources/org/aspas/emulab/sim/script");

    @TempDir
    private Path folder;

    private static RunResult run(Settings settings, int scale, OptionalLong withoutRoles, @Nullable LoadFigures load) {
        List<Detection> detections = List.of(
                new Detection(
                        1_234_567,
                        "client-1",
                        "appserver-3",
                        "two heads 0123456789abcdef01",
                        Detection.Kind.NOTICED,
                        5,
                        9_876),
                new Detection(2_234_567, "appserver-0", "appserver-3", "a fork", Detection.Kind.PROVED, 6, 10_499),
                new Detection(
                        3_234_567, "appserver-0", "appserver-3", "excluded", Detection.Kind.EXCLUDED, 7, 1_010_500));
        return new RunResult(
                settings,
                "0123456789abcdef0123456789abcdef",
                scale < 3 ? List.of() : List.of(new Violation("G5", 1_234_567, "no certificate")),
                List.of(new Fault(
                        0, Fault.Kind.CRASH, 1, 2, List.of(NodeId.appserver(1)), List.of(), 0, Conditions.CALM)),
                17,
                scale == 1 ? List.of() : detections,
                1,
                12_250_000L * scale,
                60_123_456,
                1_050_000,
                123_456,
                78,
                new Figures(),
                new FieldCoverage(),
                new RunResult.Accounting(1_000L * scale, 900, 80L * scale, scale, 3, 1_100, 12, withoutRoles),
                new RunResult.Stores(scale - 1, 1, 2, 3, 4),
                new RunResult.Tags(100, 2, 30, 4),
                List.of(),
                load);
    }

    private static LoadFigures load() {
        return new LoadFigures(
                LoadedSystem.ASPAS2,
                40,
                1.25,
                1_000,
                900,
                12_345.678,
                new Figures.Measured(List.of(10_000L, 12_345L, 20_049L), List.of(300_050L, 412_345L)),
                List.of(
                        new LoadFigures.SideUsage(Processors.Side.CLIENTS, 2, 4, 0.12345, 0.5, 1.005, 17),
                        new LoadFigures.SideUsage(Processors.Side.BFTSERVERS, 4, 2, 1, 1, 0, 0)));
    }

    private static Settings loaded() {
        return Settings.of(3)
                .withFaults(Set.of(), 1)
                .withProcessors(
                        new ProcessorModel(Costs.FREE, 2, 50, false, LoadedSystem.ASPAS2, 500_000, StepMeter.NONE));
    }

    @Test
    void oneRun() throws IOException {
        compare("run", new CampaignReport(List.of(run(loaded(), 2, OptionalLong.empty(), load())), 0.5));
    }

    @Test
    void severalRuns() throws IOException {
        Settings silent = Settings.of(1).withRoles(List.of("silent"));
        List<RunResult> judged = Collections.nCopies(30, run(silent, 2, OptionalLong.of(2_000), null));
        List<RunResult> others = List.of(
                run(Settings.of(5), 1, OptionalLong.empty(), null),
                run(Settings.of(7).withRoles(List.of("silent", "forked")), 3, OptionalLong.empty(), null));
        compare(
                "campaign",
                new CampaignReport(
                        Stream.concat(judged.stream(), others.stream()).toList(), 12.5));
    }

    private void compare(String name, CampaignReport report) throws IOException {
        Path json = folder.resolve(name + ".json");
        report.write(json);
        compare(RECORDED.resolve(name + ".json"), Files.readString(json));
        compare(RECORDED.resolve(name + ".txt"), report.summary());
    }

    private static void compare(Path file, String text) throws IOException {
        if ("rewrite".equals(System.getProperty("aspas.reports"))) {
            Files.createDirectories(RECORDED);
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }
}
