package org.aspas.client.core;

import org.aspas.certify.identity.Hash;
import org.aspas.client.core.ClientEvent.Why;

/** What follows from a conviction: the client never returns to the server, and leaves it if it is there. */
final class Convictions {
    private final Servers servers;
    private final Outbox outbox;

    Convictions(Servers servers, Outbox outbox) {
        this.servers = servers;
        this.outbox = outbox;
    }

    void convicted(int server, Hash evidence) {
        if (servers.convicted(server)) {
            return;
        }
        servers.convict(server);
        outbox.happened(new ClientEvent.Convicted(server, evidence));
        if (server == servers.current()) {
            outbox.leave(Why.CONVICTED, "appserver " + server + " is convicted by evidence " + evidence);
        }
    }
}
