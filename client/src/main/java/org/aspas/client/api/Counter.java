package org.aspas.client.api;

import java.util.concurrent.CompletionStage;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated counter: a 64-bit sum that wraps around, since only so its value does not depend on the order
 * in which servers get the updates. Thread-safe, cheap to make.
 */
public final class Counter {
    private final AspasClient client;
    private final String key;

    Counter(AspasClient client, String key) {
        this.client = client;
        this.key = key;
    }

    /** The object's key. */
    public String key() {
        return key;
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
        return client.read(key, DataTypes.PN_COUNTER, level).thenApply(result -> result.map(Counter::number));
    }

    private static long number(Value value) {
        if (value instanceof Value.Int number) {
            return number.value();
        }
        throw ClientShell.unexpected(value);
    }
}
