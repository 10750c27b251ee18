package org.aspas.emulab.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsIdentity;

/** Whether a process runs as a node already, on this machine or another one: with a copy of its keys and its store, for instance. */
final class OwnAddress {
    private static final int PATIENCE_MILLIS = 2_000;

    private OwnAddress() {}

    /**
     * Asks at the address of the node's links, before it listens there itself. That nobody answers in time says nothing: it may not be
     * reachable from here.
     *
     * @throws CommandFailed when who answers proves to hold the node's key
     */
    static void requireNobody(NodeDescription node, SigningKey key) throws CommandFailed {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(node.host(), node.linkPort()), PATIENCE_MILLIS);
            plain.setSoTimeout(PATIENCE_MILLIS);
            TlsIdentity own = TlsIdentity.of(key.seed());
            try (SSLSocket link = (SSLSocket) own.contextFor(Set.of(own.publicKey()))
                    .getSocketFactory()
                    .createSocket(plain, node.host(), node.linkPort(), true)) {
                link.startHandshake();
            }
        } catch (IOException nobodyWithThisKey) {
            return;
        }
        throw new CommandFailed(node.id() + " runs already: a process with its key answers at " + node.host() + ":"
                + node.linkPort()
                + ". Two of them would sign conflicting messages, which proves the node guilty: stop the"
                + " other one first, and start no copy of a deployment's directory");
    }
}
