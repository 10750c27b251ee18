package org.aspas.emulab.sim.adversary;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.emulab.sim.node.Wire;

/**
 * What a Byzantine client does with tags: it spoils those for some appservers; or it opens sessions with new shares for a few requests each, also
 * two under one number, and some that name another home.
 */
final class TaggedCalls {
    /** What it is on one connection. */
    private final class Session {
        final int server;
        final Colluder client;
        long number;

        Session(int server, long start, long salt) {
            this.server = server;
            this.client = new Colluder(
                    power, power.sealer(), new ClientId(power.sealer().publicKey(), start, salt));
        }
    }

    private final AdversaryContext power;
    private final boolean churning;
    private final Set<Integer> spoiled = new TreeSet<>();
    private final boolean anew;
    private final Map<ConnectionId, Session> sessions = new TreeMap<>();
    private long starts;

    TaggedCalls(AdversaryContext power, boolean churning) {
        this.power = power;
        this.churning = churning;
        int servers = power.quorums().appservers();
        int count = power.chance().pick(List.of(power.quorums().f(), servers));
        this.anew = power.chance().happens(0.3);
        while (spoiled.size() < count) {
            spoiled.add(power.chance().index(servers));
        }
    }

    /** Whoever churns is one start at every second server, and another one at each of the others. */
    private Session session(ConnectionId connection, int server) {
        boolean twin = churning && server % 2 == 1;
        return sessions.computeIfAbsent(
                connection, any -> new Session(server, twin ? 1 : ++starts, twin ? 0 : 1 + server));
    }

    /** The first session on a connection to a server. */
    Wire open(ConnectionId connection, int server, long session) {
        return Wire.of(session(connection, server).client.open(session, server));
    }

    void closed(ConnectionId connection) {
        sessions.remove(connection);
    }

    /** The next frames on a connection; at the same time the same number for a session is given for all. */
    List<Wire> next(ConnectionId connection, long session) {
        Session own = sessions.get(connection);
        if (own == null) {
            return List.of();
        }
        long due = ++own.number; // Each update is given twice: the server may have been busy.
        return churning
                ? List.of(Wire.of(own.client.open(session, home(own))), update(own, due), update(own, due + 1))
                : List.of(update(own, due), update(own, due + 1));
    }

    private int home(Session own) {
        return power.chance().happens(0.2)
                ? power.chance().index(power.quorums().appservers() + 1)
                : own.server;
    }

    private Wire update(Session own, long number) {
        Signed<ClientSigned> update = own.client.update(number, 1);
        byte[] tags = own.client.tags(update);
        for (int at = 0; !churning && at < tags.length / TaggedRequest.TAG_BYTES; at++) {
            if (anew ? power.chance().happens(0.5) : spoiled.contains(at)) {
                tags[at * TaggedRequest.TAG_BYTES] ^= 1;
            }
        }
        return Wire.of(new Frame.Sealed(update, tags));
    }
}
