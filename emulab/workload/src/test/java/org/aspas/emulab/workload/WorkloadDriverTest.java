package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class WorkloadDriverTest {
    /** A store in memory that confirms at once, or refuses every update. */
    private static final class MemorySession implements StoreSession {
        final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
        final Map<String, Set<String>> sets = new ConcurrentHashMap<>();
        final boolean refusing;

        MemorySession(boolean refusing) {
            this.refusing = refusing;
        }

        @Override
        public Write increment(String key, long amount) {
            counters.computeIfAbsent(key, unused -> new LongAdder()).add(amount);
            return write();
        }

        @Override
        public Write add(String key, String element) {
            sets.computeIfAbsent(key, unused -> ConcurrentHashMap.newKeySet()).add(element);
            return write();
        }

        private Write write() {
            if (refusing) {
                IllegalStateException refusal = new IllegalStateException("refused");
                return new Write(CompletableFuture.failedFuture(refusal), CompletableFuture.failedFuture(refusal));
            }
            return new Write(
                    CompletableFuture.completedFuture(true),
                    CompletableFuture.completedFuture(new Write.Confirmed(7, 1_000_000)));
        }

        @Override
        public CompletionStage<Long> counter(String key) {
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public CompletionStage<Set<String>> set(String key) {
            return CompletableFuture.completedFuture(Set.of());
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

    private static Measures run(StoreSession store, Ledger ledger) throws Exception {
        Measures measures = new Measures(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(200));
        new WorkloadDriver(List.of(store, store, store), List.of(ToleranceClass.values()), measures, ledger, 1)
                .run(
                        List.of(
                                new WorkloadPhase(WorkloadMix.A, ObjectKind.COUNTERS, 100),
                                new WorkloadPhase(WorkloadMix.A, ObjectKind.SETS, 100)),
                        phase -> {});
        return measures;
    }

    @Test
    void theLedgerHoldsWhatTheStoreAcknowledged() throws Exception {
        MemorySession store = new MemorySession(false);
        Ledger ledger = new Ledger();
        Measures measures = run(store, ledger);

        assertThat(measures.awaitConfirmations(10_000)).isTrue();
        assertThat(measures.errors()).isZero();
        assertThat(measures.newestCertificate()).isEqualTo(7);
        assertThat(measures.operations()).isPositive();
        assertThat(ledger.sets()).isEqualTo(store.sets);
        assertThat(ledger.counters()).isNotEmpty();
        ledger.counters()
                .forEach((key, sum) -> assertThat(store.counters.get(key).sum()).isEqualTo(sum));
    }

    @Test
    void theMixHasReadsAndUpdatesOfEveryClass() throws Exception {
        Measures measures = run(new MemorySession(false), new Ledger());
        for (ToleranceClass tolerance : ToleranceClass.values()) {
            assertThat(measures.latency(tolerance, true).getTotalCount()).isPositive();
            assertThat(measures.latency(tolerance, false).getTotalCount()).isPositive();
        }
    }

    @Test
    void aRefusedUpdateIsOneErrorAndNotInTheLedger() throws Exception {
        MemorySession store = new MemorySession(true);
        Ledger ledger = new Ledger();
        Measures measures = run(store, ledger);

        assertThat(measures.awaitConfirmations(10_000)).isTrue();
        assertThat(measures.errors()).isPositive();
        assertThat(measures.firstErrors()).isNotEmpty().allMatch(error -> error.contains("refused"));
        assertThat(ledger.counters()).isEmpty();
        assertThat(ledger.sets()).isEmpty();
    }
}
