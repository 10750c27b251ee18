package org.aspas.bftcluster.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.util.List;
import org.aspas.bftcluster.replica.InMemoryServerSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the local library finds its peers: a server socket that is bound to no port, for the higher-numbered ones, and a
 * loopback port for each lower-numbered one, chosen anew at each start. Thread-safe.
 */
final class LocalEndpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalEndpoints.class);

    private final int self;
    private final IsolationOptions options;
    private final byte[] ownHandshake;
    private final InMemoryServerSocket serverSocket;
    private final List<Integer> ports;

    /** Chooses ports; none is bound yet. */
    LocalEndpoints(int self, int replicas, KeyPair own, IsolationOptions options) {
        this.self = self;
        this.options = options;
        this.ownHandshake = Handshake.of(own);
        this.ports = LoopbackPorts.pairs(replicas);
        try {
            this.serverSocket = new InMemoryServerSocket();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a socket that is not bound", impossible);
        }
    }

    /** Where the library accepts the connections of higher-numbered peers. */
    InMemoryServerSocket serverSocket() {
        return serverSocket;
    }

    /** What the library says first on each connection. */
    byte[] ownHandshake() {
        return ownHandshake;
    }

    /** The replicas' addresses as the library is to see them, by index. */
    List<InetSocketAddress> addresses() {
        return ports.stream()
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .toList();
    }

    /** The library's connection for a peer, not yet open. */
    LibraryConnection connection(int peer, LibraryOutputHandler handler) {
        return peer > self
                ? new InMemoryConnection(peer, serverSocket, ownHandshake, options, handler)
                : new LoopbackConnection(self, peer, ports.get(peer) + 1, ownHandshake, options, handler);
    }

    @Override
    public void close() {
        try {
            serverSocket.close();
        } catch (IOException impossible) {
            LOG.debug("closing a socket that is not bound", impossible);
        }
    }
}
