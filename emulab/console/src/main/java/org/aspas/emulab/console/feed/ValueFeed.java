package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the values of a few counters at every appserver: the local value, and the certified one, whose proof a client has verified.
 * For one thread.
 */
public final class ValueFeed implements AutoCloseable {
    private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long EXACT = 1L << 53;

    private final ConsoleState state;
    private final List<Watched> all = new ArrayList<>();
    private final List<String> keys;
    private final List<AspasClient> clients = new ArrayList<>();

    /** One counter at one server. */
    private static final class Watched {
        final String key;
        final int server;
        volatile @Nullable Long local;
        volatile @Nullable Long certified;
        volatile long certificate;
        volatile @Nullable String error;
        volatile boolean asking;
        volatile long heardNanos = System.nanoTime();

        Watched(String key, int server) {
            this.key = key;
            this.server = server;
        }
    }

    public ValueFeed(ConsoleState state, List<String> keys, int servers, IntFunction<AspasClient> client) {
        this.state = state;
        this.keys = keys;
        for (int server = 0; server < servers; server++) {
            clients.add(client.apply(server));
            for (String key : keys) {
                all.add(new Watched(key, server));
            }
        }
    }

    /** Asks for the values and publishes the answers received so far. */
    public void publish() {
        all.stream().filter(one -> !one.asking).forEach(this::ask);
        ObjectNode event = state.timed();
        ArrayNode objects = event.putArray("keys");
        for (String key : keys) {
            ArrayNode servers =
                    objects.addObject().put("key", key).put("type", "counter").putArray("servers");
            all.stream().filter(one -> one.key.equals(key)).forEach(one -> fields(servers.addObject(), one));
        }
        state.publish("values", event);
    }

    private void ask(Watched one) {
        one.asking = true;
        AspasClient client = clients.get(one.server);
        client.counter(one.key)
                .get(ReadLevel.LOCAL)
                .thenCombine(client.counter(one.key).get(ReadLevel.CERTIFIED), (local, certified) -> {
                    one.local = local.value();
                    one.certified = certified.value();
                    one.certificate = certified.certificateNumber().value();
                    one.error = null;
                    one.heardNanos = System.nanoTime();
                    return certified;
                })
                .whenComplete((ReadResult<Long> read, Throwable failure) -> {
                    if (failure != null) {
                        one.error = reason(failure);
                        one.heardNanos = System.nanoTime();
                    }
                    one.asking = false;
                });
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }

    private static void fields(ObjectNode fields, Watched one) {
        boolean silent = one.asking && System.nanoTime() - one.heardNanos > STALE_NANOS;
        String error = silent ? "no answer" : one.error;
        boolean known = error == null && one.certified != null;
        fields.put("server", "appserver-" + one.server);
        number(fields, "local", known ? one.local : null);
        number(fields, "certified", known ? one.certified : null);
        number(fields, "certificate", known ? Long.valueOf(one.certificate) : null);
        fields.put("error", error);
    }

    /** Writes a number, as text if JavaScript's numbers cannot hold it. */
    private static void number(ObjectNode fields, String name, @Nullable Long value) {
        if (value == null) {
            fields.putNull(name);
        } else if (value <= -EXACT || value >= EXACT) {
            fields.put(name, value.toString());
        } else {
            fields.put(name, value);
        }
    }

    @Override
    public void close() {
        clients.stream()
                .map(AspasClient::closeAsync)
                .toList()
                .forEach(end -> end.toCompletableFuture()
                        .completeOnTimeout(null, 2, TimeUnit.SECONDS)
                        .join());
    }
}
