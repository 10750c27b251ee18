package org.aspas.client.api;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated set, in which an addition wins over a concurrent removal. Elements are integers, texts or
 * byte strings. Thread-safe, cheap to make.
 */
public final class AddWinsSet {
    private final AspasClient client;
    private final String key;

    AddWinsSet(AspasClient client, String key) {
        this.client = client;
        this.key = key;
    }

    /** The object's key. */
    public String key() {
        return key;
    }

    /** Adds a text. */
    public Update add(String element) {
        return add(Value.of(element));
    }

    /** Adds an element. */
    public Update add(Value element) {
        return update(Operation.of("add", element));
    }

    /** Removes a text, as far as its additions have been observed. */
    public Update remove(String element) {
        return remove(Value.of(element));
    }

    /** Removes an element, as far as its additions have been observed. */
    public Update remove(Value element) {
        return update(Operation.of("remove", element));
    }

    /** Removes every element whose addition has been observed. */
    public Update clear() {
        return update(Operation.of("clear"));
    }

    private Update update(Operation operation) {
        return client.update(key, DataTypes.AW_SET, operation);
    }

    /** Reads the elements, in the order of {@link Value}; a set that was never updated is empty. */
    public CompletionStage<ReadResult<Set<Value>>> get(ReadLevel level) {
        return client.read(key, DataTypes.AW_SET, level).thenApply(result -> result.map(AddWinsSet::elements));
    }

    /** Reads whether a text is in the set. */
    public CompletionStage<ReadResult<Boolean>> contains(String element, ReadLevel level) {
        Value wanted = Value.of(element);
        return get(level).thenApply(result -> result.map(elements -> elements.contains(wanted)));
    }

    private static Set<Value> elements(Value value) {
        if (value instanceof Value.Sequence sequence) {
            return Collections.unmodifiableSet(new LinkedHashSet<>(sequence.items()));
        }
        throw ClientShell.unexpected(value);
    }
}
