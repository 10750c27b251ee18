package org.aspas.emulab.console.demo;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aspas.client.api.AspasClient;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.Write;
import org.jspecify.annotations.Nullable;

/** A client of the workload whose operations are counted where they end. Thread-safe. */
record ObservedSession(
        int number, ClientSession session, OperationTally tally, OpenUpdates open, Supplier<ClientClass> ofClass)
        implements StoreSession {
    AspasClient client() {
        return session.client();
    }

    @Override
    public Write increment(String key, long amount) {
        long began = System.nanoTime();
        OpenUpdates.Stretch stretch = open.begin(number);
        return observed(key, began, stretch, session.increment(key, amount));
    }

    @Override
    public Write add(String key, String element) {
        long began = System.nanoTime();
        OpenUpdates.Stretch stretch = open.begin(number);
        return observed(key, began, stretch, session.add(key, element));
    }

    private Write observed(String key, long began, OpenUpdates.Stretch stretch, Write write) {
        write.answered().whenComplete((answer, failure) -> {
            if (ended(OperationKind.UPDATE, key, began, failure)) {
                ofClass.get().answered(System.nanoTime() - began);
            }
        });
        write.confirmed().whenComplete((confirmation, failure) -> {
            stretch.ended(number, failure == null);
            if (failure == null) {
                tally.at(client().server()).confirmed.increment();
            }
        });
        return write;
    }

    @Override
    public CompletionStage<Long> counter(String key) {
        return read(key, session.counter(key));
    }

    @Override
    public CompletionStage<Set<String>> set(String key) {
        return read(key, session.set(key));
    }

    private <T> CompletionStage<T> read(String key, CompletionStage<T> value) {
        long began = System.nanoTime();
        return value.whenComplete((found, failure) -> ended(OperationKind.READ, key, began, failure));
    }

    private boolean ended(OperationKind kind, String key, long began, @Nullable Throwable failure) {
        int server = client().server();
        OperationTally.Counts counts = tally.at(server);
        if (failure != null) {
            counts.failed.increment();
            return false;
        }
        (kind == OperationKind.READ ? counts.reads : counts.updates).increment();
        tally.ended(new OperationTally.Sample(server, number, kind, key, System.nanoTime() - began));
        return true;
    }

    @Override
    public long verificationFailures() {
        return session.verificationFailures();
    }

    @Override
    public long updates() {
        return session.updates();
    }

    @Override
    public long switches() {
        return session.switches();
    }

    @Override
    public CompletionStage<?> close() {
        return session.close();
    }
}
