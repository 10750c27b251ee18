package org.aspas.appserver.core.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.certify.bound.TokenBucket;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;

/** The connections of clients, and which of them have a session of whom. For one thread. */
final class ClientConnections extends CorePart {
    private static final int SESSIONS_OF_A_CLIENT = 2;
    /**
     * After so long without a frame a connection without a session is ended: some time after the client library ends its own
     * short connections.
     */
    /** The most clients with one key that may run at once. */
    private static final int SESSIONS_OF_A_KEY = 64;

    private static final long SESSIONLESS_IDLE_MILLIS = 30_000;

    private final Map<ConnectionId, ClientConnection> connections = new TreeMap<>();
    private final Map<ClientId, List<ClientConnection>> sessions = new HashMap<>();
    private final Map<PublicKey, Set<ClientConnection>> keys = new HashMap<>();
    private boolean ticked;

    ClientConnections(CoreState context) {
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

    /** The clients of whose updates some connection is told. */
    Set<ClientId> followed() {
        Set<ClientId> all = new HashSet<>();
        connections.values().forEach(connection -> all.addAll(connection.clients()));
        return all;
    }

    /** The connection on which a client opened its newest session, of those that stand. */
    Optional<ClientConnection> newest(ClientId client) {
        List<ClientConnection> all = sessions.getOrDefault(client, List.of());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
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
            PublicKey key = connection.client.key();
            Set<ClientConnection> ofKey = keys.getOrDefault(key, Set.of());
            ofKey.remove(connection);
            if (ofKey.isEmpty()) {
                keys.remove(key);
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
        Set<ClientConnection> ofKey = keys.computeIfAbsent(client.key(), any -> new LinkedHashSet<>());
        ofKey.add(connection);
        if (ofKey.size() > SESSIONS_OF_A_KEY) {
            end(ofKey.iterator().next(), "many clients with the key have opened newer sessions", "sessions_replaced");
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
