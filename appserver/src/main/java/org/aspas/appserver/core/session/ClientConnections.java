package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.port.ConnectionId;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.ClientId;

/** The connections of clients, and which of them have a session of whom. For one thread. */
final class ClientConnections extends CorePart {
    private static final int SESSIONS_OF_A_CLIENT = 2;
    /**
     * After so long without a frame a connection without a session is ended: some time after the client library ends its own
     * short connections.
     */
    private static final long SESSIONLESS_IDLE_MILLIS = 30_000;

    private final Map<ConnectionId, ClientConnection> connections = new TreeMap<>();
    private final Map<ClientId, List<ClientConnection>> sessions = new HashMap<>();
    private boolean ticked;

    ClientConnections(CoreContext context) {
        super(context);
    }

    int size() {
        return connections.size();
    }

    Optional<ClientConnection> find(ConnectionId id) {
        return Optional.ofNullable(connections.get(id));
    }

    Collection<ClientConnection> all() {
        return connections.values();
    }

    /** The clients that have a session here. */
    Set<ClientId> clients() {
        return sessions.keySet();
    }

    boolean hasSession(ClientId client) {
        return sessions.containsKey(client);
    }

    void opened(ConnectionId id, TokenBucket sessionlessReads) {
        connections.put(id, new ClientConnection(id, sessionlessReads, time.now()));
    }

    void gone(ConnectionId id) {
        ClientConnection connection = connections.remove(id);
        if (connection != null && connection.client != null) {
            List<ClientConnection> others = sessions.getOrDefault(connection.client, List.of());
            if (others.size() <= 1) {
                sessions.remove(connection.client);
            } else {
                others.remove(connection);
            }
        }
    }

    /** Every session of a client is told of every confirmation, so it has few; the newest count. */
    void join(ClientConnection connection, ClientId client) {
        List<ClientConnection> all = sessions.computeIfAbsent(client, any -> new ArrayList<>());
        all.add(connection);
        if (all.size() > SESSIONS_OF_A_CLIENT) {
            end(all.get(0), "the client has opened newer sessions", "sessions_replaced");
        }
    }

    /** Time has passed: whoever opened no session and has asked nothing for long has no more use of the connection. */
    void tick() {
        if (!ticked) {
            // Who came before there was a time is heard now.
            ticked = true;
            connections.values().forEach(connection -> connection.heardAt = time.now());
        }
        List<ClientConnection> idle = connections.values().stream()
                .filter(connection ->
                        connection.client == null && time.now() - connection.heardAt >= SESSIONLESS_IDLE_MILLIS)
                .toList();
        for (ClientConnection connection : idle) {
            end(connection, "it has no session, and nothing was asked for long", "idle_strangers_ended");
        }
    }

    private void end(ClientConnection connection, String reason, String counter) {
        gone(connection.id);
        outbox.close(connection.id, reason);
        counters.count(counter);
    }
}
