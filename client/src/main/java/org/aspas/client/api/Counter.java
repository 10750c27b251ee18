package org.aspas.client.api;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated counter: a 64-bit sum that wraps around, since only so its value does not depend on the order
 * in which servers get the updates. Thread-safe, cheap to make.
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
     * The same counter with another deadline, from 1 ms to 365 days; zero for none. It is counted from the call: within it the answers
     * to updates come (see {@link ClientOptions#withDeadlines}), and reads, which have that of all reads besides.
     */
    public Counter within(Duration deadline) {
        return new Counter(client.within(deadline), key);
    }

    /** Adds an amount of at least 1. */
    public Update increment(long amount) {
        return client.update(key, DataTypes.PN_COUNTER, Operation.of("increment", Value.of(amount)));
    }

    /** Subtracts an amount of at least 1. */
    public Update decrement(long amount) {
        return client.update(key, DataTypes.PN_COUNTER, Operation.of("decrement", Value.of(amount)));
    }

    /** Reads the counter; one that was never updated is 0. */
    public CompletionStage<ReadResult<Long>> get(ReadLevel level) {
        return client.read(key, DataTypes.PN_COUNTER, level, null).thenApply(result -> result.map(Counter::number));
    }

    /**
     * Follows the counter: each change of its live or its certified value, beginning with what they are. Servers push no values
     * to clients, so that this asks its server again and again, by a local read, and by a certified one when that names a newer
     * certificate. So a change that is undone between two reads is not seen, and the live value is as trustworthy as any local
     * read. Each subscriber asks for itself. One that is slow gets the newest values, and is told how many it missed.
     *
     * <p>Reads that fail are repeated. The publisher completes when the client is closed, and fails when it ends otherwise or the
     * object cannot be read, for example because it has another datatype.
     *
     * @param interval the pause after each answer, from 10 ms
     * @return a publisher that calls its subscribers on the client's executor, which must not be blocked
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
