package org.aspas.emulab.experiments;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import site.ycsb.WorkloadException;

/**
 * How much a system does when as many clients as a run has ask for as much as they can, without emulated delay; and what a share
 * of that is as an open loop.
 */
final class Saturation {
    private static final long MILLIS = 10_000;
    private static final long QUIESCE_MILLIS = 60_000;

    private Saturation() {}

    /**
     * Turns a load that is a share of saturation into an open loop; other settings stay as they are.
     *
     * @param system warm already
     */
    static RunSettings resolved(
            SystemUnderTest system, RunSettings settings, List<WorkloadPhase> phases, Ledger ledger, Progress progress)
            throws InterruptedException, TimeoutException, WorkloadException {
        if (!(settings.load() instanceof LoadModel.Share share)) {
            return settings;
        }
        double most = perSecond(system, settings, phases, ledger, progress);
        progress.say(String.format(
                Locale.ROOT,
                "saturated at %,.0f operations/s; %.0f %% of it are %,.0f/s",
                most,
                100 * share.part(),
                most * share.part()));
        return settings.loaded(share.of(most));
    }

    /** Operations a second in a closed loop. */
    static double perSecond(
            SystemUnderTest system, RunSettings settings, List<WorkloadPhase> phases, Ledger ledger, Progress progress)
            throws InterruptedException, TimeoutException, WorkloadException {
        progress.say("measuring for " + MILLIS / 1000 + " s how much the system does ...");
        List<StoreSession> sessions = new ArrayList<>();
        try {
            Experiment.connect(system, sessions, settings.classes(), Duration.ZERO, false);
            long start = System.nanoTime();
            Measures measures = new Measures(start, TimeUnit.MILLISECONDS.toNanos(MILLIS));
            List<WorkloadPhase> shorter = phases.stream()
                    .map(phase -> phase.lasting(Math.max(1, MILLIS / phases.size())))
                    .toList();
            new WorkloadDriver(sessions, settings.classes(), measures, ledger, settings.seed())
                    .run(shorter, phase -> {});
            double seconds = (System.nanoTime() - start) / 1e9;
            if (!measures.awaitConfirmations(QUIESCE_MILLIS) || measures.operations() == 0) {
                throw new IllegalStateException("the system could not be saturated: " + measures.operations()
                        + " operations, " + measures.unconfirmed() + " unconfirmed updates: "
                        + measures.firstErrors());
            }
            return measures.operations() / seconds;
        } finally {
            Experiment.close(sessions);
        }
    }
}
