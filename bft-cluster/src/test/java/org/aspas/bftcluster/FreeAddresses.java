package org.aspas.bftcluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Request addresses for bare replicas. They lie below the range from which the system takes the ports of outgoing
 * connections, so that none of those can take one before the replica does.
 */
public final class FreeAddresses {
    private FreeAddresses() {}

    /** So many free loopback ports whose successors are free too. */
    public static List<InetSocketAddress> pairs(int count) {
        SecureRandom random = new SecureRandom();
        Map<Integer, InetSocketAddress> found = new TreeMap<>();
        while (found.size() < count) {
            int port = 10_000 + 2 * random.nextInt(5_000);
            if (isFree(port) && isFree(port + 1)) {
                found.put(port, new InetSocketAddress("127.0.0.1", port));
            }
        }
        return List.copyOf(found.values());
    }

    /** Whether the port can be bound on every address. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
