package org.aspas.client.core;

import java.util.List;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;

/** The way to the appservers that this client has no session with: signed questions out, signed answers in. */
final class Others {
    private final CoreSettings settings;
    private final Sealer sealer;
    private final Outbox outbox;
    private final Nonces nonces;
    final ClientId self;
    final Servers servers;
    final Ticks ticks;

    Others(
            CoreSettings settings,
            ClientId self,
            Sealer sealer,
            Outbox outbox,
            Nonces nonces,
            Servers servers,
            Ticks ticks) {
        this.settings = settings;
        this.self = self;
        this.sealer = sealer;
        this.outbox = outbox;
        this.nonces = nonces;
        this.servers = servers;
        this.ticks = ticks;
    }

    long nonce() {
        return nonces.next();
    }

    Signed<Message> seal(Message message) {
        return sealer.seal(message);
    }

    /** Sends one signed message to each of these servers. */
    void send(List<Integer> to, Signed<Message> signed) {
        to.forEach(server -> outbox.add(new Effect.ToServer(server, new Frame.Sealed(signed))));
    }

    /** Whether this server signed. */
    boolean signedBy(int server, Signed<?> signed) {
        return signed.verify(settings.verifier(), servers.key(server), Sealer.domainOf(signed.message()));
    }
}
