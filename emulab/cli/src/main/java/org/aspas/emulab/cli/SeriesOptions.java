package org.aspas.emulab.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.rivals.SystemChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Several runs in one: with ever more clients, or on several systems in turns. */
final class SeriesOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = "--ramp",
            paramLabel = "CLIENTS",
            split = ",",
            description = "run the workload with ever more clients, such as 1,10,40,100, each step with a warm-up and "
                    + "--seconds long, until the system or the generator is saturated")
    private @Nullable List<Integer> ramp;

    @Option(
            names = "--compare",
            paramLabel = "SYSTEM",
            split = ",",
            converter = SystemConverter.class,
            description = "run the workload on two or more systems in turns (A B, B A), such as ap,aspas2 or"
                    + " aspas2:memory,aspas2:os,aspas2:sync, each run on a system just started, and print the"
                    + " figures of the others as ratios to those of the first, with their spread")
    private @Nullable List<SystemChoice> compared;

    @Option(
            names = "--repeat",
            paramLabel = "R",
            defaultValue = "2",
            description = "with --compare: how many runs each system has, 1 to 100 (default: ${DEFAULT-VALUE})")
    private int repeat = 2;

    /** Whether there is to be more than one run. */
    boolean wanted() {
        return ramp != null || compared != null;
    }

    boolean compares() {
        return compared != null;
    }

    /** Does the runs, and returns the exit code. */
    int run(WorkloadRun run) throws IOException, InterruptedException, TimeoutException {
        if (ramp != null && compared != null) {
            throw new ParameterException(command.commandLine(), "--ramp and --compare do not go together");
        }
        if (compared != null) {
            if (compared.size() < 2) {
                throw new ParameterException(
                        command.commandLine(), "--compare takes two systems or more, such as ap,aspas2");
            }
            Ranges.check(command, "--repeat", repeat, 1, 100);
            return run.compare(compared, repeat);
        }
        List<Integer> steps = ramp == null ? List.of() : ramp;
        for (int step = 0; step < steps.size(); step++) {
            Ranges.check(command, "--ramp", steps.get(step), 1, 1000);
            if (step > 0 && steps.get(step) <= steps.get(step - 1)) {
                throw new ParameterException(command.commandLine(), "--ramp goes up: " + steps);
            }
        }
        return run.ramp(steps);
    }
}
