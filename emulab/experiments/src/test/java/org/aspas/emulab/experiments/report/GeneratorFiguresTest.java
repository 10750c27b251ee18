package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.ChosenOperation;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.OperationSource;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDefinition;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.Write;
import org.junit.jupiter.api.Test;

/** Whether a saturated generator is noticed, on real threads. */
class GeneratorFiguresTest {
    /** Answers at once, so that all the time of an operation is the generator's. */
    private static final class InstantSession implements StoreSession {
        @Override
        public CompletionStage<Long> counter(String key) {
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public Write increment(String key, long amount) {
            throw new UnsupportedOperationException("only reads here");
        }

        @Override
        public Write add(String key, String element) {
            throw new UnsupportedOperationException("only reads here");
        }

        @Override
        public CompletionStage<Set<String>> set(String key) {
            throw new UnsupportedOperationException("only reads here");
        }

        @Override
        public long verificationFailures() {
            return 0;
        }

        @Override
        public CompletionStage<?> close() {
            return CompletableFuture.completedFuture("closed");
        }
    }

    private static final WorkloadDefinition READS = new WorkloadDefinition() {
        @Override
        public String label() {
            return "reads";
        }

        @Override
        public int records() {
            return 1;
        }

        @Override
        public OperationSource source(int clients, long seed) {
            return client -> new ChosenOperation(OperationKind.READ, ObjectKind.COUNTERS, "k", "");
        }
    };

    private static Measures run(LoadModel model) throws Exception {
        Measures measures = new Measures(System.nanoTime(), 1);
        StoreSession session = new InstantSession();
        new WorkloadDriver(
                        List.of(session, session),
                        List.of(ToleranceClass.TAU_UNBOUNDED, ToleranceClass.TAU_UNBOUNDED),
                        measures,
                        new Ledger(),
                        1,
                        model)
                .run(List.of(new WorkloadPhase(READS, 60_000, 20_000)), phase -> {});
        assertThat(measures.operations()).isEqualTo(20_000);
        return measures;
    }

    private static RunReport report(LoadModel model) throws Exception {
        Convergence agreed = new Convergence(4, 4, 9, 1, 0, List.of());
        return RunReport.of(
                RunReportTest.SETTINGS.loaded(model), run(model), 1, RunReportTest.MACHINE, 0, 8, 0, agreed);
    }

    @Test
    void aGeneratorThatIsSlowerThanTheSystemMakesAClosedLoopInvalid() throws Exception {
        RunReport report = report(new LoadModel.Closed(50));
        assertThat(report.clean()).isTrue();
        assertThat(report.exitCode()).isEqualTo(RunReport.INVALID);
        assertThat(report.json()).contains("\"valid\" : false");
        GeneratorFigures figures = report.generator();
        assertThat(figures.little()).isGreaterThan(2);
        assertThat(figures.valid()).isFalse();
        assertThat(figures.lines()).anyMatch(line -> line.contains("INVALID") && line.contains("N/(X·R)"));
        assertThat(figures.cpuSeconds()).isPositive();
    }

    @Test
    void anOpenLoopThatIsAskedForMoreThanTheGeneratorCanDoIsInvalid() throws Exception {
        GeneratorFigures figures =
                report(new LoadModel.Open(1e9, Arrivals.UNIFORM)).generator();
        assertThat(figures.little()).isLessThan(0.5);
        assertThat(figures.valid()).isFalse();
        assertThat(figures.invalid()).anyMatch(reason -> reason.contains("later than it should"));
    }
}
