package org.aspas.client.api;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated set whose elements all have one Java type; otherwise it behaves like {@link AddWinsSet}. A read that
 * finds an element of another kind fails with {@link AspasException.UnexpectedValue}. Handles hold no state, so they are cheap to
 * create. Thread-safe.
 *
 * @param <E> the Java type of the elements
 */
public final class TypedSet<E> {
    private final AddWinsSet set;
    private final ElementType<E> type;

    TypedSet(AddWinsSet set, ElementType<E> type) {
        this.set = set;
        this.type = type;
    }

    public String key() {
        return set.key();
    }

    /** Returns a handle of the same set with another deadline; see {@link AddWinsSet#within}. */
    public TypedSet<E> within(Duration deadline) {
        return new TypedSet<>(set.within(deadline), type);
    }

    /**
     * Adds an element.
     *
     * @throws AspasException.InvalidCall when the element has no valid encoding, for example because it is too long
     */
    public Update add(E element) {
        return set.add(type.encode(key(), element));
    }

    /** Removes an element; see {@link AddWinsSet#remove(Value)}. */
    public Update remove(E element) {
        return set.remove(type.encode(key(), element));
    }

    /** Removes every element; see {@link AddWinsSet#clear}. */
    public Update clear() {
        return set.clear();
    }

    /** Reads all elements; see {@link AddWinsSet#get}. */
    public CompletionStage<ReadResult<Set<E>>> get(ReadLevel level) {
        return set.get(level).thenApply(this::typed);
    }

    /** Reads whether an element is in the set, at a cost that does not depend on the size of the set. */
    public CompletionStage<ReadResult<Boolean>> contains(E element, ReadLevel level) {
        return set.contains(type.encode(key(), element), level);
    }

    /** Reads the first page of the newest certified elements; see {@link AddWinsSet#firstPage}. */
    public CompletionStage<ReadResult<Set<E>>> firstPage() {
        return set.firstPage().thenApply(this::typed);
    }

    /** Reads the page after the given one; see {@link AddWinsSet#pageAfter}. */
    public Optional<CompletionStage<ReadResult<Set<E>>>> pageAfter(ReadResult<Set<E>> page) {
        return set.pageAfter(page).map(next -> next.thenApply(this::typed));
    }

    /** Follows the set; see {@link AddWinsSet#watch}. */
    public Flow.Publisher<SetValue<E>> watch(Duration interval) {
        return set.watch(this::get, interval);
    }

    private ReadResult<Set<E>> typed(ReadResult<Set<Value>> result) {
        return result.map(values -> {
            Set<E> elements = new LinkedHashSet<>();
            values.forEach(value -> elements.add(type.decode(key(), value)));
            return Collections.unmodifiableSet(elements);
        });
    }
}
