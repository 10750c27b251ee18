package org.aspas.client.core;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/** The way to the appservers that this client has no session with: signed questions out, signed replies in. */
public final class PeerQueries {
    private final ClientSettings settings;
    private final Identity self;
    private final Servers servers;
    private final Step step;

    public PeerQueries(ClientSettings settings, Identity self, Servers servers, Step step) {
        this.settings = settings;
        this.self = self;
        this.servers = servers;
        this.step = step;
    }

    public ClientId self() {
        return self.id();
    }

    public Servers servers() {
        return servers;
    }

    /** A nonce that was never given out. */
    public long nonce() {
        return self.nextNonce();
    }

    public Signed<Message> seal(Message message) {
        return self.sign(message);
    }

    public void send(List<Integer> to, Signed<Message> signed) {
        to.forEach(server -> step.now(new Effect.ToServer(server, new Frame.Sealed(signed))));
    }

    public boolean signedBy(int server, Signed<?> signed) {
        return signed.verify(settings.verifier(), servers.key(server), Sealer.domainOf(signed.message()));
    }
}
