package org.aspas.emulab.experiments;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.report.RampReport;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.WorkloadPhase;
import site.ycsb.WorkloadException;

/** The same workload with ever more clients on one system, until it is saturated. */
final class Ramp {
    /** Less than in the first step, in which the JVM has compiled what it has to. */
    private static final int LATER_WARM_UP_SECONDS = 4;

    private final Terminal terminal;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;

    Ramp(Terminal terminal, RunSettings settings, List<WorkloadPhase> phases) {
        this.terminal = terminal;
        this.settings = settings;
        this.phases = List.copyOf(phases);
    }

    /**
     * Runs the steps, each with a warm-up and a check at its end that the servers agree.
     *
     * @param clients how many clients each step has
     */
    RampReport run(SystemUnderTest system, List<Integer> clients)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        Ledger ledger = new Ledger();
        List<RunReport> steps = new ArrayList<>();
        Optional<String> saturation = Optional.empty();
        for (int next = 0; next < clients.size() && saturation.isEmpty(); next++) {
            int warmUp =
                    next == 0 ? settings.warmUpSeconds() : Math.min(settings.warmUpSeconds(), LATER_WARM_UP_SECONDS);
            RunSettings step = settings.withClients(clients.get(next), warmUp);
            terminal.line("step " + (next + 1) + " of " + clients.size() + ": " + step.clients() + " clients");
            steps.add(new Experiment(system, step, phases, new Progress(terminal, measures -> {}), null, null)
                    .run(ledger));
            saturation = RampReport.saturation(steps);
        }
        return new RampReport(steps, saturation.orElse("all steps are done"));
    }
}
