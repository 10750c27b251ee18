package org.aspas.emulab.workload;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A store in memory that confirms at once, or refuses every update. */
final class MemorySession implements StoreSession {
    final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    final Map<String, Set<String>> sets = new ConcurrentHashMap<>();
    final Set<String> read = ConcurrentHashMap.newKeySet();
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
        read.add(key);
        return CompletableFuture.completedFuture(0L);
    }

    @Override
    public CompletionStage<Set<String>> set(String key) {
        read.add(key);
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
