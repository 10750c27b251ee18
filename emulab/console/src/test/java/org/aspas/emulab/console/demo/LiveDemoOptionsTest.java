package org.aspas.emulab.console.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldReader;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.Write;
import org.junit.jupiter.api.Test;

/** What the usual demo asks of τ = 1. */
class LiveDemoOptionsTest {
    private static final int CLIENTS = 40;
    private static final int OPERATIONS = 400;
    private static final int CONFIRMED_AFTER_MILLIS = 30;

    /** A client with τ = 1: an update is answered when it is confirmed, some time after it was called. */
    private static final class CarefulSession implements StoreSession {
        private final AtomicInteger open = new AtomicInteger();
        private final List<Integer> before;

        /** Notes of each update how many others of its client are open as it begins. */
        CarefulSession(List<Integer> before) {
            this.before = before;
        }

        private Write update() {
            before.add(open.getAndIncrement());
            CompletableFuture<Write.Confirmed> confirmed = new CompletableFuture<>();
            CompletableFuture.delayedExecutor(CONFIRMED_AFTER_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> {
                        open.decrementAndGet();
                        confirmed.complete(new Write.Confirmed(1, 1));
                    });
            return new Write(confirmed, confirmed);
        }

        @Override
        public Write increment(String key, long amount) {
            return update();
        }

        @Override
        public Write add(String key, String element) {
            return update();
        }

        @Override
        public CompletionStage<Long> counter(String key) {
            return CompletableFuture.completedStage(0L);
        }

        @Override
        public CompletionStage<Set<String>> set(String key) {
            return CompletableFuture.completedStage(Set.of());
        }

        @Override
        public long verificationFailures() {
            return 0;
        }

        @Override
        public CompletionStage<?> close() {
            return CompletableFuture.completedStage(null);
        }
    }

    /** Else what a visitor reads of τ = 1 is the time in a queue of the client's own updates, and not that of a confirmation. */
    @Test
    void noUpdateWaitsBehindAnotherOfItsClient() throws Exception {
        LiveDemoOptions usual = LiveDemoOptions.usual(
                new Quorums(1, 1),
                WorldReader.read("aws5", ShippedWorlds.file("aws5").orElseThrow(), Roles::isServer),
                CLIENTS,
                1);
        List<Integer> before = Collections.synchronizedList(new ArrayList<>());
        List<StoreSession> sessions = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            sessions.add(new CarefulSession(before));
        }
        long endless = TimeUnit.HOURS.toMillis(1);
        new WorkloadDriver(
                        sessions,
                        Collections.nCopies(CLIENTS, ToleranceClass.TAU_1),
                        new Measures(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(endless)),
                        new Ledger(),
                        1,
                        usual.load())
                .run(List.of(new WorkloadPhase(usual.workload(), endless, OPERATIONS)), phase -> {});
        assertThat(before).hasSizeGreaterThan(OPERATIONS / 10).containsOnly(0);
    }
}
