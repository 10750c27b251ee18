package org.aspas.emulab.workload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Carries out operations at one client, several at once if they are asked for, and takes their times. Thread-safe.
 *
 * <p>An operation ends when its stage completes; how soon a thread of the generator wakes up after that is no part of its
 * latency.
 */
final class OperationRunner {
    private static final long PATIENCE_SECONDS = 30;

    private final int client;
    private final StoreSession session;
    private final ToleranceClass tolerance;
    private final Measures measures;
    private final Ledger ledger;
    private final LoadClock clock;

    OperationRunner(
            int client,
            StoreSession session,
            ToleranceClass tolerance,
            Measures measures,
            Ledger ledger,
            LoadClock clock) {
        this.client = client;
        this.session = session;
        this.tolerance = tolerance;
        this.measures = measures;
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * Begins an operation.
     *
     * @param startNanos from when its latency counts, as the clock tells it
     * @return when the operation ended, well or not; never fails
     */
    CompletableFuture<Long> run(ChosenOperation operation, long startNanos) {
        CompletableFuture<Long> ended =
                begin(operation).thenApply(answer -> clock.nanos()).toCompletableFuture();
        return LoadTimer.within(PATIENCE_SECONDS, ended).handle((answered, failure) -> {
            long end = failure == null ? answered : clock.nanos();
            measures.generator().responded(end - startNanos);
            if (failure == null) {
                measures.succeeded(tolerance, operation.kind(), end - startNanos);
            } else {
                failed(operation.kind(), failure);
            }
            return end;
        });
    }

    private CompletionStage<?> begin(ChosenOperation operation) {
        return switch (operation.kind()) {
            case READ -> read(operation);
            case UPDATE -> update(operation);
            case READ_MODIFY_WRITE -> read(operation).thenCompose(value -> update(operation));
        };
    }

    private CompletionStage<?> read(ChosenOperation operation) {
        return operation.object() == ObjectKind.COUNTERS
                ? session.counter(operation.key())
                : session.set(operation.key());
    }

    private CompletionStage<?> update(ChosenOperation operation) {
        boolean counter = operation.object() == ObjectKind.COUNTERS;
        long sent = clock.nanos();
        Write write =
                counter ? session.increment(operation.key(), 1) : session.add(operation.key(), operation.element());
        measures.awaiting();
        CompletableFuture<?> answered = write.answered().toCompletableFuture();
        write.confirmed().whenComplete((confirmation, failure) -> {
            if (failure == null) {
                measures.confirmed(client, tolerance, confirmation, clock.nanos() - sent);
            } else if (answered.isDone() && !answered.isCompletedExceptionally()) {
                measures.failedUpdate("confirmation: " + reason(failure));
            }
            measures.settled();
        });
        return answered.thenRun(() -> {
            if (counter) {
                ledger.incremented(operation.key(), 1);
            } else {
                ledger.added(operation.key(), operation.element());
            }
        });
    }

    private void failed(OperationKind kind, Throwable failure) {
        String sentence = kind.label() + ": " + reason(failure);
        if (kind == OperationKind.READ) {
            measures.failed(sentence);
        } else {
            measures.failedUpdate(sentence);
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof TimeoutException
                ? "nothing came within " + PATIENCE_SECONDS + " s"
                : String.valueOf(cause);
    }
}
