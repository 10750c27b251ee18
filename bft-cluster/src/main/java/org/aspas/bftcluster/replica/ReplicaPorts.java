package org.aspas.bftcluster.replica;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two ports of each replica: one for requests, the next one for the other replicas.
 *
 * @param replica this replica's index
 * @param addresses the request address of each replica, by index
 */
record ReplicaPorts(int replica, List<InetSocketAddress> addresses) {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaPorts.class);
    private static final int CONNECT_MILLIS = 1_000;
    private static final int RETRY_MILLIS = 20;
    private static final int LOWER_MILLIS = 3_000;
    /** An id that no replica has; the library closes such a connection at once. */
    private static final int NOBODY = -99;

    /**
     * Asks whether this replica can bind its ports: the library reports a taken one with a bare exception on a thread of
     * its own.
     *
     * @throws PortUnavailableException when it cannot
     */
    void probe() throws PortUnavailableException {
        InetSocketAddress requests = addresses.get(replica);
        probe(new InetSocketAddress(requests.getHostString(), requests.getPort()));
        probe(new InetSocketAddress(requests.getPort() + 1));
    }

    private static void probe(InetSocketAddress address) throws PortUnavailableException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException taken) {
            throw new PortUnavailableException(address, taken);
        }
    }

    /**
     * Waits a little until the replicas with lower indexes listen. The library dials those and sleeps five seconds after
     * a refusal; replicas that start together would otherwise all pay that.
     *
     * @param pause waits so many milliseconds; true when waiting is given up
     */
    void awaitLower(LongPredicate pause) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOWER_MILLIS);
        for (int lower = 0; lower < replica; lower++) {
            InetSocketAddress address = addresses.get(lower);
            while (!connect(address.getHostString(), address.getPort() + 1)) {
                if (System.nanoTime() - deadline >= 0 || pause.test(RETRY_MILLIS)) {
                    return;
                }
            }
        }
    }

    /** Wakes the library's accepting thread, which otherwise looks every ten seconds whether it should end. */
    void wakeAcceptor() {
        connect(
                InetAddress.getLoopbackAddress().getHostAddress(),
                addresses.get(replica).getPort() + 1);
    }

    private static boolean connect(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            new DataOutputStream(socket.getOutputStream()).writeInt(NOBODY);
            return true;
        } catch (IOException notListening) {
            LOG.debug("nobody accepts replicas at {}:{}", host, port);
            return false;
        }
    }
}
