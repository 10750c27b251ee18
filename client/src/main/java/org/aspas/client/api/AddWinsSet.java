package org.aspas.client.api;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.ElementsRead;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated set, in which an addition wins over a concurrent removal. Elements are 64-bit integers, or texts or byte
 * strings of at most 4,096 bytes. Handles hold no state, so they are cheap to create. Thread-safe.
 */
public final class AddWinsSet {
    private final ObjectCalls client;
    private final String key;

    AddWinsSet(ObjectCalls client, String key) {
        this.client = client;
        this.key = key;
    }

    public String key() {
        return key;
    }

    /**
     * Returns a handle of the same set with another deadline for answers to updates (see {@link ClientOptions#withDeadlines}) and for
     * reads, counted from each call. Reads also keep the timeout of {@link ClientOptions#withTimeouts}.
     *
     * @param deadline from 1 ms to 365 days; zero for none
     * @throws AspasException.InvalidCall when the deadline is out of range
     */
    public AddWinsSet within(Duration deadline) {
        return new AddWinsSet(client.within(deadline), key);
    }

    /**
     * Adds a text.
     *
     * @throws AspasException.InvalidCall when the text has an unpaired surrogate or is too long
     */
    public Update add(String element) {
        return add(text(element));
    }

    /**
     * Adds an element.
     *
     * @throws AspasException.InvalidCall when the value cannot be an element of a set
     */
    public Update add(Value element) {
        return update(Operation.of("add", given(element)));
    }

    /** Removes a text; an addition that the answering server has not delivered yet survives. */
    public Update remove(String element) {
        return remove(text(element));
    }

    /** Removes an element; an addition that the answering server has not delivered yet survives. */
    public Update remove(Value element) {
        return update(Operation.of("remove", given(element)));
    }

    /** Removes every element; additions that the answering server has not delivered yet survive. */
    public Update clear() {
        return update(Operation.of("clear"));
    }

    private Value text(String element) {
        return ElementType.TEXT.encode(key, element);
    }

    private Value given(Value element) {
        return AspasException.given(element, "the set " + key, "the element");
    }

    private Update update(Operation operation) {
        return client.update(key, DataTypes.AW_SET, operation);
    }

    /**
     * Reads all elements, in the order of {@link Value}; a set that was never updated is empty. A set that does not fit in one answer
     * is refused as {@code TOO_LARGE}; read it page by page instead ({@link #firstPage}).
     */
    public CompletionStage<ReadResult<Set<Value>>> get(ReadLevel level) {
        return client.read(key, DataTypes.AW_SET, level, null).thenApply(result -> result.map(AddWinsSet::elements));
    }

    /** Reads whether a text is in the set, at a cost that does not depend on the size of the set. */
    public CompletionStage<ReadResult<Boolean>> contains(String element, ReadLevel level) {
        return contains(text(element), level);
    }

    /** Reads whether an element is in the set, at a cost that does not depend on the size of the set. */
    public CompletionStage<ReadResult<Boolean>> contains(Value element, ReadLevel level) {
        return client.read(key, DataTypes.AW_SET, level, ReadPart.element(given(element)))
                .thenApply(result -> result.map(found -> !elements(found).isEmpty()));
    }

    /** Reads the first page of the newest certified elements. Pages follow the internal order of the proofs, not that of {@link Value}. */
    public CompletionStage<ReadResult<Set<Value>>> firstPage() {
        return page(ReadPart.page(Hash.ZERO, CertificateNumber.NONE));
    }

    /**
     * Reads the page after the given one, as of the same certificate. The stage fails with {@code MOVED_ON} when the server no longer
     * remembers that certificate; start again at {@link #firstPage} then.
     *
     * @return the next page; empty if the given page was the last one
     */
    public Optional<CompletionStage<ReadResult<Set<Value>>>> pageAfter(ReadResult<? extends Set<?>> page) {
        ElementsRead elements =
                AspasException.given(page, "page of " + key, "the page before").elements();
        Hash next = elements == null ? null : elements.next();
        return next == null ? Optional.empty() : Optional.of(page(ReadPart.page(next, page.certificateNumber())));
    }

    private CompletionStage<ReadResult<Set<Value>>> page(ReadPart part) {
        return client.read(key, DataTypes.AW_SET, ReadLevel.CERTIFIED, part)
                .thenApply(result -> result.map(AddWinsSet::elements));
    }

    /**
     * Follows the set by reading all of it repeatedly, so the set must fit in one answer. Everything else is as for {@link
     * Counter#watch}.
     *
     * @param interval the pause after each answer, from 10 ms to 365 days
     * @return a publisher that calls its subscribers on the client's executor, which they must not block
     * @throws AspasException.InvalidCall when the interval is out of range
     */
    public Flow.Publisher<SetValue<Value>> watch(Duration interval) {
        return watch(this::get, interval);
    }

    <E> Flow.Publisher<SetValue<E>> watch(
            Function<ReadLevel, CompletionStage<ReadResult<Set<E>>>> reader, Duration interval) {
        return client.watch(reader, interval, SetValue::of);
    }

    private static Set<Value> elements(Value value) {
        if (value instanceof Value.Sequence sequence) {
            return Collections.unmodifiableSet(new LinkedHashSet<>(sequence.items()));
        }
        throw ClientShell.unexpected(value);
    }
}
