package org.aspas.client.core.guard;

import java.util.List;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.ClientSettings;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.step.Identity;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;

/** The way to the appservers that this client has no session with: signed questions out, signed replies in. */
public final class PeerQueries {
    private final ClientSettings settings;
    private final Identity self;
    private final Servers servers;
    private final Step step;

    /**
     * The way of one client to all servers.
     *
     * @param settings what verifies signatures of the deployment
     * @param self who asks
     * @param servers knows the servers' keys
     * @param step takes what is to be sent
     */
    public PeerQueries(ClientSettings settings, Identity self, Servers servers, Step step) {
        this.settings = settings;
        this.self = self;
        this.servers = servers;
        this.step = step;
    }

    /** Who asks. */
    public ClientId self() {
        return self.id();
    }

    /** The servers of the deployment. */
    public Servers servers() {
        return servers;
    }

    /** A nonce that was never given out. */
    public long nonce() {
        return self.nextNonce();
    }

    /** Signs a question. */
    public Signed<Message> seal(Message message) {
        return self.sign(message);
    }

    /** Sends one signed message to each of these servers. */
    public void send(List<Integer> to, Signed<Message> signed) {
        to.forEach(server -> step.now(new Effect.ToServer(server, new Frame.Sealed(signed))));
    }

    /** Whether this server signed. */
    public boolean signedBy(int server, Signed<?> signed) {
        return signed.verify(settings.verifier(), servers.key(server), Sealer.domainOf(signed.message()));
    }
}
