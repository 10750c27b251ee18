package org.aspas.emulab.baselines.obft;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.client.net.Transport;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.ObftClient;
import org.aspas.emulab.baselines.shell.UncertifiedSession;
import org.jspecify.annotations.Nullable;

/** A client of OBFT, reconstructed. What is not answered when its connection ends fails. Thread-safe. */
final class ObftSession extends UncertifiedSession {
    private final ObftClient client;
    private final Map<Long, CompletableFuture<Value>> open = new HashMap<>();
    private final CompletableFuture<ObftSession> ready = new CompletableFuture<>();
    private final Transport.Connection connection;
    private @Nullable IllegalStateException gone;

    private ObftSession(ObftClient client, Transport transport) {
        this.client = client;
        this.connection = transport.connect(new Inbox());
    }

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
    protected CompletionStage<Value> update(String key, DataType type, Operation operation) {
        return submit(key, type, operation);
    }

    @Override
    protected CompletionStage<Value> read(String key, DataType type) {
        return submit(key, type, null);
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
