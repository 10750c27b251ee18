package org.aspas.client.api;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.aspas.certify.wire.ReadPart;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The way a handle of an object calls its client. Thread-safe.
 *
 * @param answer the deadline of answers; zero for none
 * @param confirmation the deadline of confirmations; zero for none
 * @param read the deadline of reads in addition to the timeout of all reads; zero for none
 */
record ObjectCalls(ClientCalls calls, Duration answer, Duration confirmation, Duration read) {
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    /** Returns the same with another deadline of answers and reads. */
    ObjectCalls within(Duration deadline) {
        ClientOptions.deadlineFault(deadline, "the deadline").ifPresent(fault -> {
            throw AspasException.invalid("within", fault);
        });
        return new ObjectCalls(calls, deadline, confirmation, deadline);
    }

    Update update(String key, DataType type, Operation operation) {
        return calls.update(key, type, operation, answer, confirmation);
    }

    CompletionStage<ReadResult<Value>> read(String key, DataType type, ReadLevel level, @Nullable ReadPart part) {
        return calls.read(key, type, level, part, read);
    }

    /** Returns a publisher that polls with {@code reader} and converts each change with {@code form}. */
    <T, R> Flow.Publisher<R> watch(
            Function<ReadLevel, CompletionStage<ReadResult<T>>> reader,
            Duration interval,
            Function<WatchedPair<T>, R> form) {
        ClientOptions.deadlineFault(interval, "the interval").ifPresent(fault -> {
            throw AspasException.invalid("watch", fault);
        });
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw AspasException.invalid("watch", "the interval must be at least 10 ms: " + interval);
        }
        ClientResources resources = calls.shell.resources;
        return subscriber -> new WatchSubscription<>(
                        Objects.requireNonNull(subscriber, "the subscriber is null"),
                        reader,
                        form,
                        interval,
                        resources.executor(),
                        resources.scheduler())
                .start();
    }
}
