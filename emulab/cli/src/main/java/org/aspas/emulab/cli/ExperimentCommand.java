package org.aspas.emulab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.ShippedExperiments;
import org.aspas.emulab.experiments.plan.StepSelection;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.result.RunFolder;
import org.aspas.emulab.experiments.run.LoadedExperiment;
import org.aspas.emulab.experiments.run.RunEstimate;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands of {@code emulab} that run experiments: {@code list}, {@code run}, {@code rerun}. */
final class ExperimentCommand {
    /** What a step takes beside its load, on a machine that is not busy: the start, filling, and the comparison at the end. */
    private static final int STEP_SECONDS = 10;

    private static final Path RUNS = Path.of(".aspas", "runs");
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private ExperimentCommand() {}

    @Command(
            name = "list",
            description = "List the experiments that come with ASPAS and how long each takes on a quiet machine.")
    static final class Shipped implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            for (String name : ShippedExperiments.names()) {
                ExperimentPlan plan = load(name, false).plan();
                out.println(String.format(
                        Locale.ROOT,
                        "%-8s %3d steps, about %3.1f hours: %s",
                        name,
                        plan.steps().size(),
                        (plan.plannedMicros() / 1e6
                                        + STEP_SECONDS * plan.steps().size())
                                / 3600,
                        plan.about()));
            }
            return ExitCodes.DONE;
        }
    }

    @Command(
            name = "run",
            description = {
                "Run an experiment and write a page with the results.",
                "",
                "An interrupted run continues in its folder after the last finished step",
                "if it is started again with the same --out."
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:every step is valid and clean, and every required claim is repeated",
                "1:a step failed, or a required claim differs",
                "2:wrong usage, or a mistake in a file",
                "3:a server did not come up in time",
                "4:nothing failed, but a step is invalid because the machine was too busy"
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  aspas emulab run smoke",
                "  aspas emulab run paper --quick --dry-run",
                "  aspas emulab run paper --quick --out results/paper",
                "  aspas emulab run paper --quick --only fig4-counters --claimed --out results/paper",
                "  aspas emulab run mine.yaml"
            })
    static final class Run implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Parameters(index = "0", paramLabel = "NAME|FILE", description = "Experiment from 'emulab list', or a file.")
        private String experiment = "";

        @Option(
                names = "--out",
                paramLabel = "FOLDER",
                description = "Folder for the run (default: .aspas/runs/NAME-DATE).")
        private @Nullable Path out;

        @Option(names = "--quick", description = "Use the shorter settings of the experiment's quick blocks.")
        private boolean quick;

        @Option(
                names = "--only",
                paramLabel = "PART",
                split = ",",
                description = "Run only these parts, in this order; the others can follow later in the same folder.")
        private List<String> only = List.of();

        @Option(names = "--claimed", description = "Run only the points that a claim needs.")
        private boolean claimed;

        @Option(
                names = "--retry-invalid",
                description = {
                    "Repeat the steps that were invalid because the machine was too busy;",
                    "their earlier results are kept, and the page counts the repetitions."
                })
        private boolean retryInvalid;

        @Option(
                names = "--dry-run",
                description = "Only print the steps of each part, how long they take, and the claims that need them.")
        private boolean dryRun;

        @Override
        public Integer call() throws IOException, InterruptedException, TimeoutException {
            LoadedExperiment loaded = load(experiment, quick);
            StepSelection selection = new StepSelection(only, claimed, retryInvalid);
            List<String> estimate = RunEstimate.lines(loaded.plan(), selection);
            if (dryRun) {
                estimate.forEach(spec.commandLine().getOut()::println);
                return ExitCodes.DONE;
            }
            RunFolder folder = new RunFolder(out == null ? fresh(loaded.plan().name()) : out);
            return execute(spec, loaded, folder, "emulab run " + experiment + (quick ? " --quick" : ""), selection);
        }
    }

    @Command(
            name = "rerun",
            description = "Repeat the experiment of a run folder, with the same worlds, in a new folder.",
            footerHeading = "%nExamples:%n",
            footer = {"  aspas emulab rerun results/paper --out results/paper-again"})
    static final class Rerun implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Parameters(index = "0", paramLabel = "FOLDER", description = "Run folder to repeat.")
        private Path before = Path.of("");

        @Option(
                names = "--out",
                paramLabel = "FOLDER",
                description = "Folder for the new run (default: .aspas/runs/NAME-DATE).")
        private @Nullable Path out;

        @Override
        public Integer call() throws IOException, InterruptedException, TimeoutException {
            LoadedExperiment loaded = load(new RunFolder(before));
            RunFolder folder = new RunFolder(out == null ? fresh(loaded.plan().name()) : out);
            return execute(spec, loaded, folder, "emulab rerun " + before, StepSelection.ALL);
        }
    }

    private static Path fresh(String name) {
        return RUNS.resolve(
                name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP));
    }

    private static int execute(
            CommandSpec spec, LoadedExperiment loaded, RunFolder folder, String command, StepSelection selection)
            throws IOException, InterruptedException, TimeoutException {
        Terminal terminal = Terminal.of(spec.commandLine().getOut());
        terminal.title(loaded.plan().name() + ": " + loaded.plan().about());
        terminal.line("the run folder: " + folder.path());
        return switch (loaded.in(folder, command, terminal).run(selection)) {
            case GOOD -> ExitCodes.DONE;
            case INVALID -> RunReport.INVALID;
            case BAD -> ExitCodes.FAILED;
        };
    }

    private static LoadedExperiment load(String name, boolean quick) throws IOException {
        if (ShippedExperiments.file(name).isEmpty() && !Files.isReadable(Path.of(name))) {
            throw new IllegalArgumentException("there is no experiment and no readable file '" + name
                    + "': experiments are " + String.join(", ", ShippedExperiments.names()));
        }
        try {
            return LoadedExperiment.of(name, quick);
        } catch (MalformedFileException mistake) {
            throw new IllegalArgumentException(mistake.getMessage(), mistake);
        }
    }

    static LoadedExperiment load(RunFolder folder) throws IOException {
        try {
            return LoadedExperiment.of(folder);
        } catch (MalformedFileException mistake) {
            throw new IllegalArgumentException(mistake.getMessage(), mistake);
        }
    }
}
