package org.aspas.client.core.guard;

import java.util.List;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.ClientSettings;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.step.Nonces;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;

/** The way to the appservers that this client has no session with: signed questions out, signed replies in. */
public final class PeerQueries {
    private final ClientSettings settings;
    private final Sealer sealer;
    private final Step step;
    private final Nonces nonces;
    private final ClientId self;
    private final Servers servers;

    /**
     * The way of one client to all servers.
     *
     * @param settings what verifies signatures of the deployment
     * @param self who asks
     * @param sealer signs for it
     * @param step takes what is to be sent
     * @param nonces names the questions
     * @param servers knows the servers' keys
     */
    public PeerQueries(
            ClientSettings settings, ClientId self, Sealer sealer, Step step, Nonces nonces, Servers servers) {
        this.settings = settings;
        this.self = self;
        this.sealer = sealer;
        this.step = step;
        this.nonces = nonces;
        this.servers = servers;
    }

    /** Who asks. */
    public ClientId self() {
        return self;
    }

    /** The servers of the deployment. */
    public Servers servers() {
        return servers;
    }

    /** A nonce that was never given out. */
    public long nonce() {
        return nonces.next();
    }

    /** Signs a question. */
    public Signed<Message> seal(Message message) {
        return sealer.seal(message);
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
