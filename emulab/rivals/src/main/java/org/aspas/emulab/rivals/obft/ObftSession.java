package org.aspas.emulab.rivals.obft;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.client.transport.Transport;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.rivals.obft.core.ObftClient;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.Write;
import org.jspecify.annotations.Nullable;

/** A client of OBFT, reconstructed. What is not answered when its connection ends fails. Thread-safe. */
final class ObftSession implements StoreSession {
    private final ObftClient client;
    private final Map<Long, CompletableFuture<Value>> open = new HashMap<>();
    private final CompletableFuture<ObftSession> ready = new CompletableFuture<>();
    private final Transport.Connection connection;
    private @Nullable IllegalStateException gone;

    private ObftSession(ObftClient client, Transport transport) {
        this.client = client;
        this.connection = transport.connect(new Inbox());
    }

    /** Connects a client. */
    static CompletionStage<ObftSession> open(ObftClient client, Transport transport) {
        return new ObftSession(client, transport).ready;
    }

    /** What comes over the connection, one call at a time. */
    private final class Inbox implements Transport.Listener {
        @Override
        public void connected() {
            ready.complete(ObftSession.this);
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            answered(frame);
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            end(new IllegalStateException("the connection is gone: " + reason));
        }
    }

    private void answered(byte[] frame) {
        Optional<ObftClient.Completed> done;
        CompletableFuture<Value> asked;
        synchronized (this) {
            done = client.received(frame);
            asked = done.map(completed -> open.remove(completed.number())).orElse(null);
            client.next().ifPresent(connection::send);
        }
        if (asked != null && done.isPresent()) {
            done.get()
                    .value()
                    .ifPresentOrElse(
                            asked::complete,
                            () -> asked.completeExceptionally(
                                    new IllegalStateException("the replica refuses the request")));
        }
    }

    private void end(IllegalStateException reason) {
        Map<Long, CompletableFuture<Value>> unanswered;
        synchronized (this) {
            gone = reason;
            unanswered = Map.copyOf(open);
            open.clear();
        }
        ready.completeExceptionally(reason);
        unanswered.values().forEach(asked -> asked.completeExceptionally(reason));
    }

    private CompletableFuture<Value> submit(String key, DataType type, @Nullable Operation update) {
        CompletableFuture<Value> answer = new CompletableFuture<>();
        synchronized (this) {
            if (gone != null) {
                answer.completeExceptionally(gone);
                return answer;
            }
            open.put(client.submit(key, type.name(), update), answer);
            client.next().ifPresent(connection::send);
        }
        return answer;
    }

    @Override
    public Write increment(String key, long amount) {
        return Write.uncertified(submit(key, DataTypes.PN_COUNTER, Operation.of("increment", Value.of(amount))));
    }

    @Override
    public Write add(String key, String element) {
        return Write.uncertified(submit(key, DataTypes.AW_SET, Operation.of("add", Value.of(element))));
    }

    @Override
    public CompletionStage<Long> counter(String key) {
        return submit(key, DataTypes.PN_COUNTER, null)
                .thenApply(value -> value instanceof Value.Int sum ? sum.value() : 0L);
    }

    @Override
    public CompletionStage<Set<String>> set(String key) {
        return submit(key, DataTypes.AW_SET, null)
                .thenApply(value ->
                        ClientSession.texts(value instanceof Value.Sequence set ? Set.copyOf(set.items()) : Set.of()));
    }

    @Override
    public synchronized long verificationFailures() {
        return client.rejected();
    }

    @Override
    public CompletionStage<?> close() {
        connection.close();
        return CompletableFuture.completedFuture("closed");
    }
}
