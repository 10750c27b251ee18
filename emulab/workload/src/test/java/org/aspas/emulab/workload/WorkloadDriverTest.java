package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkloadDriverTest {
    private static final int OPERATIONS = 3000;
    private static final List<ToleranceClass> CLASSES =
            List.of(ToleranceClass.TAU_1, new ToleranceClass(10), ToleranceClass.TAU_UNBOUNDED);

    private static Measures run(StoreSession store, Ledger ledger, WorkloadPhase... phases) throws Exception {
        Measures measures = new Measures(System.nanoTime(), TimeUnit.MINUTES.toNanos(1));
        new WorkloadDriver(List.of(store, store, store), CLASSES, measures, ledger, 1)
                .run(List.of(phases), phase -> {});
        assertThat(measures.awaitConfirmations(10_000)).isTrue();
        return measures;
    }

    private static WorkloadPhase phase(WorkloadMix mix, ObjectKind kind) {
        return new WorkloadPhase(YcsbWorkload.of(mix, kind), 60_000, OPERATIONS);
    }

    private static long count(Measures measures, OperationKind kind) {
        long count = 0;
        for (ToleranceClass tolerance : CLASSES) {
            count += measures.latency(tolerance, kind).getTotalCount();
        }
        return count;
    }

    @Test
    void theLedgerHoldsWhatTheStoreAcknowledged() throws Exception {
        MemorySession store = new MemorySession(false);
        Ledger ledger = new Ledger();
        Measures measures =
                run(store, ledger, phase(WorkloadMix.A, ObjectKind.COUNTERS), phase(WorkloadMix.A, ObjectKind.SETS));

        assertThat(measures.errors()).isZero();
        assertThat(measures.newestCertificate()).isEqualTo(7);
        assertThat(measures.operations()).isEqualTo(2 * OPERATIONS);
        assertThat(ledger.sets()).isEqualTo(store.sets);
        assertThat(ledger.counters()).isNotEmpty();
        ledger.counters()
                .forEach((key, sum) -> assertThat(store.counters.get(key).sum()).isEqualTo(sum));
    }

    @Test
    void aPhaseEndsWithItsTime() throws Exception {
        Measures measures = run(
                new MemorySession(false),
                new Ledger(),
                new WorkloadPhase(YcsbWorkload.of(WorkloadMix.C, ObjectKind.COUNTERS), 50));
        assertThat(measures.operations()).isPositive();
    }

    @Test
    void theMixHasReadsAndUpdatesOfEveryClass() throws Exception {
        Measures measures = run(new MemorySession(false), new Ledger(), phase(WorkloadMix.A, ObjectKind.COUNTERS));
        for (ToleranceClass tolerance : CLASSES) {
            assertThat(measures.latency(tolerance, OperationKind.UPDATE).getTotalCount())
                    .isPositive();
            assertThat(measures.latency(tolerance, OperationKind.READ).getTotalCount())
                    .isPositive();
        }
    }

    @Test
    void everyMixHasTheSharesOfItsWorkloadFile() throws Exception {
        MemorySession store = new MemorySession(false);
        assertThat(count(run(store, new Ledger(), phase(WorkloadMix.B, ObjectKind.COUNTERS)), OperationKind.UPDATE))
                .isBetween(80L, 230L);
        assertThat(count(run(store, new Ledger(), phase(WorkloadMix.C, ObjectKind.COUNTERS)), OperationKind.READ))
                .isEqualTo(OPERATIONS);
        assertThat(count(
                        run(store, new Ledger(), phase(WorkloadMix.UPDATE, ObjectKind.COUNTERS)), OperationKind.UPDATE))
                .isEqualTo(OPERATIONS);
        Measures modified = run(store, new Ledger(), phase(WorkloadMix.F, ObjectKind.COUNTERS));
        assertThat(count(modified, OperationKind.READ_MODIFY_WRITE)).isBetween(1300L, 1700L);
        assertThat(count(modified, OperationKind.UPDATE)).isZero();
    }

    @Test
    void aReadModifyWriteUpdatesTheObjectThatItRead() throws Exception {
        MemorySession store = new MemorySession(false);
        run(
                store,
                new Ledger(),
                new WorkloadPhase(
                        new YcsbWorkload(
                                "modify",
                                ObjectKind.COUNTERS,
                                1,
                                Map.of(
                                        "recordcount",
                                        "100",
                                        "readproportion",
                                        "0",
                                        "updateproportion",
                                        "0",
                                        "readmodifywriteproportion",
                                        "1")),
                        60_000,
                        200));
        assertThat(store.counters.keySet()).isEqualTo(store.read);
        assertThat(store.counters.values().stream().mapToLong(sum -> sum.sum()).sum())
                .isEqualTo(200);
    }

    @Test
    void workloadDInsertsNewRecordsAndReadsTheNewest() throws Exception {
        MemorySession store = new MemorySession(false);
        run(store, new Ledger(), phase(WorkloadMix.D, ObjectKind.COUNTERS));
        assertThat(store.counters).hasSizeBetween(80, 230);
        assertThat(store.counters.values()).allMatch(sum -> sum.sum() == 1);
        assertThat(store.read.stream().filter(store.counters::containsKey).collect(Collectors.toSet()))
                .hasSizeGreaterThan(40);
    }

    @Test
    void elementsAreAsLongAsYcsbsValues() throws Exception {
        MemorySession store = new MemorySession(false);
        YcsbProperties properties =
                YcsbProperties.read(WorkloadMix.UPDATE, List.of(), Map.of("fieldlength", "128", "aspas.elements", "3"));
        run(store, new Ledger(), new WorkloadPhase(properties.workload(ObjectKind.SETS), 60_000, 500));
        assertThat(store.sets.values())
                .allSatisfy(set -> assertThat(set).hasSizeBetween(1, 3).allMatch(element -> element.length() == 128));
    }

    @Test
    void aRefusedUpdateIsOneErrorAndNotInTheLedger() throws Exception {
        Ledger ledger = new Ledger();
        Measures measures = run(new MemorySession(true), ledger, phase(WorkloadMix.UPDATE, ObjectKind.COUNTERS));

        assertThat(measures.errors()).isEqualTo(OPERATIONS);
        assertThat(measures.failedUpdates()).isEqualTo(OPERATIONS);
        assertThat(measures.firstErrors()).isNotEmpty().allMatch(error -> error.contains("refused"));
        assertThat(ledger.counters()).isEmpty();
        assertThat(ledger.sets()).isEmpty();
    }

    @Test
    void aPaceKeepsClientsFromBeginningSooner() throws Exception {
        Measures measures = new Measures(System.nanoTime(), TimeUnit.MINUTES.toNanos(1));
        StoreSession store = new MemorySession(false);
        LoadModel paced = new LoadModel.Closed(1, 100);
        WorkloadPhase phase = new WorkloadPhase(YcsbWorkload.of(WorkloadMix.A, ObjectKind.COUNTERS), 60_000, 9);
        long before = System.nanoTime();
        new WorkloadDriver(List.of(store, store, store), CLASSES, measures, new Ledger(), 1, paced)
                .run(List.of(phase), unused -> {});
        // Three clients begin nine operations: somebody begins a third one, two paces after the first.
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(measures.operations()).isEqualTo(9);
    }
}
