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
import org.aspas.client.core.port.ElementsRead;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A handle of one replicated set, in which an addition wins over a concurrent removal. Elements are integers, texts or
 * byte strings. Thread-safe, cheap to make.
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
     * The same set with another deadline, from 1 ms to 365 days; zero for none. It is counted from the call: within it the answers
     * to updates come (see {@link ClientOptions#withDeadlines}), and reads, which have that of all reads besides.
     */
    public AddWinsSet within(Duration deadline) {
        return new AddWinsSet(client.within(deadline), key);
    }

    /** Adds a text; an unpaired surrogate in it is an {@link AspasException.InvalidCall}. */
    public Update add(String element) {
        return add(text(element));
    }

    public Update add(Value element) {
        return update(Operation.of("add", given(element)));
    }

    /** Removes a text, as far as its additions have been observed. */
    public Update remove(String element) {
        return remove(text(element));
    }

    /** Removes an element, as far as its additions have been observed. */
    public Update remove(Value element) {
        return update(Operation.of("remove", given(element)));
    }

    /** Removes every element whose addition has been observed. */
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
     * Reads all elements, in the order of {@link Value}; a set that was never updated is empty. A set that is too large for one
     * answer is refused, and read by pages.
     */
    public CompletionStage<ReadResult<Set<Value>>> get(ReadLevel level) {
        return client.read(key, DataTypes.AW_SET, level, null).thenApply(result -> result.map(AddWinsSet::elements));
    }

    public CompletionStage<ReadResult<Boolean>> contains(String element, ReadLevel level) {
        return contains(text(element), level);
    }

    /** Reads whether an element is in the set, at a cost that does not depend on how large the set is. */
    public CompletionStage<ReadResult<Boolean>> contains(Value element, ReadLevel level) {
        return client.read(key, DataTypes.AW_SET, level, ReadPart.element(given(element)))
                .thenApply(result -> result.map(found -> !elements(found).isEmpty()));
    }

    /** Reads the first page of the newest certified elements. The pages of a set are in no order that means anything. */
    public CompletionStage<ReadResult<Set<Value>>> firstPage() {
        return page(ReadPart.page(Hash.ZERO, CertificateNumber.NONE));
    }

    /**
     * Reads the page behind another one, of the same certificate. It is refused as {@code MOVED_ON} when servers have forgotten
     * that certificate; then reading begins anew.
     *
     * @return the next page; empty if that was the last one
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
     * Follows the set, by reading all of it again and again: for sets that one answer holds. Otherwise as {@link Counter#watch}.
     *
     * @param interval the pause after each answer, from 10 ms
     * @return a publisher that calls its subscribers on the client's executor, which must not be blocked
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
