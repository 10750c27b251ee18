package org.aspas.emulab.experiments;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.baselines.SystemChoice;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.experiments.report.SystemRatios;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.WorkloadPhase;
import site.ycsb.WorkloadException;

/**
 * The same workload on several systems in turns: A B, B A, A B and so on, so that what drifts evenly weighs on all alike. Each
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
     * Runs the systems in turns.
     *
     * @param systems two or more
     * @param repeat how many runs each system has, from 1
     * @return each system but the first beside the first
     */
    List<SystemRatios> run(List<SystemChoice> systems, int repeat)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        RunSettings driven = driven(systems);
        List<List<RunReport>> reports = new ArrayList<>();
        systems.forEach(system -> reports.add(new ArrayList<>()));
        for (int round = 0; round < repeat; round++) {
            for (int turn = 0; turn < systems.size(); turn++) {
                int at = round % 2 == 0 ? turn : systems.size() - 1 - turn;
                reports.get(at).add(run(systems.get(at), driven));
            }
        }
        return reports.stream()
                .skip(1)
                .map(others -> new SystemRatios(reports.get(0), others))
                .toList();
    }

    /** Turns a share of saturation into that share of the slowest system's, as the same load for all. */
    private RunSettings driven(List<SystemChoice> systems)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        if (!(settings.load() instanceof LoadModel.Share share)) {
            return settings;
        }
        double least = Double.POSITIVE_INFINITY;
        for (SystemChoice choice : systems) {
            terminal.line("starting " + choice.name() + " ...");
            try (SystemUnderTest system = choice.start(options)) {
                RunSettings own = settings.against(choice.name(), choice.mix());
                double most = experiment(system, own).saturation();
                terminal.line(String.format(Locale.ROOT, "  %-13s %,8.0f operations/s at most", choice.name(), most));
                least = Math.min(least, most);
            }
        }
        LoadModel load = share.of(least);
        terminal.line("  all get the same load: " + load.label());
        return settings.loaded(load);
    }

    private Experiment experiment(SystemUnderTest system, RunSettings own) {
        return new Experiment(system, own, phases, new Progress(terminal, measures -> {}), null, null);
    }

    private RunReport run(SystemChoice choice, RunSettings driven)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        terminal.line("starting " + choice.name() + " ...");
        try (SystemUnderTest system = choice.start(options)) {
            RunReport report = experiment(system, driven.against(choice.name(), choice.mix()))
                    .run();
            SystemRatios.sentence(report).forEach(terminal::line);
            return report;
        }
    }
}
