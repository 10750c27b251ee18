package org.aspas.emulab.workload;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.api.Update;
import org.aspas.client.core.InspectionCounts;
import org.aspas.crdt.value.Value;

/** A workload's session over a real client. */
public record ClientSession(AspasClient client) implements StoreSession {
    @Override
    public Write increment(String key, long amount) {
        return write(client.counter(key).increment(amount));
    }

    @Override
    public Write add(String key, String element) {
        return write(client.set(key).add(element));
    }

    private static Write write(Update update) {
        return new Write(
                update.answered(),
                update.confirmed()
                        .thenApply(confirmation -> new Write.Confirmed(
                                confirmation.certificateNumber().value(), confirmation.lagNanos())));
    }

    @Override
    public CompletionStage<Long> counter(String key) {
        return client.counter(key).get(ReadLevel.LOCAL).thenApply(ReadResult::value);
    }

    @Override
    public CompletionStage<Set<String>> set(String key) {
        return client.set(key).get(ReadLevel.LOCAL).thenApply(result -> texts(result.value()));
    }

    /** The elements of a set that are texts. */
    public static Set<String> texts(Set<Value> elements) {
        Set<String> texts = new TreeSet<>();
        for (Value element : elements) {
            if (element instanceof Value.Text text) {
                texts.add(text.value());
            }
        }
        return texts;
    }

    @Override
    public long verificationFailures() {
        return client.statistics().verificationFailures();
    }

    @Override
    public long inspections() {
        return client.statistics().inspections();
    }

    @Override
    public InspectionCounts inspected() {
        return client.statistics().inspected();
    }

    @Override
    public long updates() {
        return client.statistics().updates();
    }

    @Override
    public long switches() {
        return client.statistics().switches();
    }

    @Override
    public CompletionStage<?> close() {
        return client.closeAsync();
    }
}
