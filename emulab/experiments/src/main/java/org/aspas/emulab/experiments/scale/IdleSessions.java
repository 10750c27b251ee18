package org.aspas.emulab.experiments.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.core.Policy;
import org.aspas.emulab.testbed.cluster.AppserverAccess;

/** Sessions of one appserver, each of a client of its own, that have done one update and do nothing any more. */
public final class IdleSessions implements AutoCloseable {
    private static final int AT_ONCE = 50;
    private static final int OBJECTS = 16;

    private final List<AspasClient> clients = new ArrayList<>();

    private IdleSessions() {}

    /**
     * Opens them, some at once, and returns when all updates are certified.
     *
     * @param count how many, from 1
     * @param patienceSeconds for each step
     * @throws TimeoutException when a step takes longer
     * @throws IOException when an update is refused
     */
    public static IdleSessions open(AppserverAccess access, int server, int count, long patienceSeconds)
            throws IOException, InterruptedException, TimeoutException {
        IdleSessions sessions = new IdleSessions();
        boolean open = false;
        try {
            while (sessions.clients.size() < count) {
                sessions.more(access, server, Math.min(AT_ONCE, count - sessions.clients.size()), patienceSeconds);
            }
            open = true;
            return sessions;
        } finally {
            if (!open) {
                sessions.close();
            }
        }
    }

    private void more(AppserverAccess access, int server, int count, long patienceSeconds)
            throws IOException, InterruptedException, TimeoutException {
        List<CompletableFuture<?>> certified = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            AspasClient client = access.client(server, ClientOptions.defaults().withPolicy(Policy.STAY));
            clients.add(client);
            certified.add(client.counter("idle-" + clients.size() % OBJECTS)
                    .increment(1)
                    .confirmed()
                    .toCompletableFuture());
        }
        try {
            CompletableFuture.allOf(certified.toArray(CompletableFuture[]::new)).get(patienceSeconds, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw new IOException("a session's update is not certified: " + refused.getCause(), refused);
        }
    }

    @Override
    public void close() {
        clients.stream()
                .map(AspasClient::closeAsync)
                .toList()
                .forEach(end -> end.toCompletableFuture().join());
    }
}
