package org.aspas.client.api;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated counter: a signed 64-bit sum that wraps around on overflow, so that its value does not depend on the
 * order in which servers receive the updates. Handles hold no state, so they are cheap to create. Thread-safe.
 */
public final class Counter {
    private final ObjectCalls client;
    private final String key;

    Counter(ObjectCalls client, String key) {
        this.client = client;
        this.key = key;
    }

    public String key() {
        return key;
    }

    /**
     * Returns a handle of the same counter with another deadline for answers to updates (see {@link ClientOptions#withDeadlines}) and for
     * reads, counted from each call. Reads also keep the timeout of {@link ClientOptions#withTimeouts}.
     *
     * @param deadline from 1 ms to 365 days; zero for none
     * @throws AspasException.InvalidCall when the deadline is out of range
     */
    public Counter within(Duration deadline) {
        return new Counter(client.within(deadline), key);
    }

    /**
     * Adds an amount.
     *
     * @param amount at least 1
     * @throws AspasException.InvalidCall when the amount is below 1
     */
    public Update increment(long amount) {
        return client.update(key, DataTypes.PN_COUNTER, Operation.of("increment", Value.of(amount)));
    }

    /**
     * Subtracts an amount.
     *
     * @param amount at least 1
     * @throws AspasException.InvalidCall when the amount is below 1
     */
    public Update decrement(long amount) {
        return client.update(key, DataTypes.PN_COUNTER, Operation.of("decrement", Value.of(amount)));
    }

    /** Reads the counter; a counter that was never updated is 0. */
    public CompletionStage<ReadResult<Long>> get(ReadLevel level) {
        return client.read(key, DataTypes.PN_COUNTER, level, null).thenApply(result -> result.map(Counter::number));
    }

    /**
     * Follows the counter: publishes its live and certified values, and again whenever either changes. Servers push no values to
     * clients, so the client polls its server with local reads, and follows up with a certified read when an answer names a newer
     * certificate. A change that is undone between two polls is therefore missed, and the live value is only as trustworthy as any
     * local read. Each subscriber polls separately. A slow subscriber receives only the newest values, with a count of those skipped.
     *
     * <p>Reads that fail temporarily are repeated. The publisher completes when the client is closed. It fails when the client ends for
     * another reason, or when the object cannot be read, for example because it has another datatype.
     *
     * @param interval the pause after each answer, from 10 ms to 365 days
     * @return a publisher that calls its subscribers on the client's executor, which they must not block
     * @throws AspasException.InvalidCall when the interval is out of range
     */
    public Flow.Publisher<CounterValue> watch(Duration interval) {
        return client.watch(this::get, interval, CounterValue::of);
    }

    private static long number(Value value) {
        if (value instanceof Value.Int number) {
            return number.value();
        }
        throw ClientShell.unexpected(value);
    }
}
