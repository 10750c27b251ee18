package org.aspas.emulab.experiments;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.experiments.report.SystemRatios;
import org.aspas.emulab.rivals.SystemChoice;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.WorkloadPhase;
import site.ycsb.WorkloadException;

/**
 * The same workload on two systems in turns: A B, B A, A B and so on, so that what drifts evenly weighs on both alike. Each
 * run starts its system anew, and what another has written weighs on none.
 */
final class SystemComparison {
    private final Terminal terminal;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final SystemChoice.Options options;

    SystemComparison(
            Terminal terminal, RunSettings settings, List<WorkloadPhase> phases, SystemChoice.Options options) {
        this.terminal = terminal;
        this.settings = settings;
        this.phases = List.copyOf(phases);
        this.options = options;
    }

    /**
     * Runs the pairs.
     *
     * @param repeat how many runs each system has, from 1
     */
    SystemRatios run(SystemChoice one, SystemChoice other, int repeat)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        List<RunReport> ones = new ArrayList<>();
        List<RunReport> others = new ArrayList<>();
        for (int pair = 0; pair < repeat; pair++) {
            if (pair % 2 == 0) {
                ones.add(run(one));
                others.add(run(other));
            } else {
                others.add(run(other));
                ones.add(run(one));
            }
        }
        return new SystemRatios(ones, others);
    }

    private RunReport run(SystemChoice choice)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        terminal.line("starting " + choice.name() + " ...");
        try (SystemUnderTest system = choice.starter().start(options)) {
            RunSettings own = settings.against(choice.name(), choice.mix());
            RunReport report =
                    new Experiment(system, own, phases, new Progress(terminal, measures -> {}), null, null).run();
            SystemRatios.sentence(report).forEach(terminal::line);
            return report;
        }
    }
}
