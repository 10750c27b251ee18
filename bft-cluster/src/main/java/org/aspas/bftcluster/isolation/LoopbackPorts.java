package org.aspas.bftcluster.isolation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses ports for a replica and its loopback connections. They are unpredictable, below the range from which systems
 * take the ports of outgoing connections, and below 20000, where the ports of nodes begin.
 */
final class LoopbackPorts {
    private static final int FIRST = 10_240;
    private static final int LAST = 19_990;
    private static final int ATTEMPTS = 1_000;

    private LoopbackPorts() {}

    /** So many ports, each followed by another free one. */
    static List<Integer> pairs(int count) {
        SecureRandom random = new SecureRandom();
        List<Integer> found = new ArrayList<>();
        for (int attempt = 0; attempt < ATTEMPTS && found.size() < count; attempt++) {
            int port = FIRST + 2 * random.nextInt((LAST - FIRST) / 2);
            if (!found.contains(port) && isFree(port) && isFree(port + 1)) {
                found.add(port);
            }
        }
        if (found.size() < count) {
            throw new IllegalStateException("no free ports from " + FIRST + " to " + LAST);
        }
        return List.copyOf(found);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
