package org.aspas.emulab.cli;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.aspas.certify.identity.Host;
import org.aspas.certify.identity.NodeDescription;
import org.jspecify.annotations.Nullable;

/** Where a node listens: where {@code --bind} says, else where the descriptor says that the node is. */
final class BindAddress {
    private BindAddress() {}

    /**
     * The address or name to listen at.
     *
     * @param given the option; null when it is not given
     * @throws IllegalArgumentException when the option names no address, or the descriptor one that this machine has not
     */
    static String of(@Nullable String given, NodeDescription node) {
        if (given == null) {
            checkDescribed(node);
            return node.host();
        }
        Host.check("--bind", given);
        try {
            InetAddress.getByName(given);
            return given;
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("--bind " + given + " is not an address of this machine");
        }
    }

    private static void checkDescribed(NodeDescription node) {
        if (!isHere(node)) {
            throw new IllegalArgumentException("the descriptor says that " + node.id() + " is at " + node.host()
                    + ", which is not an address of this machine; name one with --bind ADDRESS");
        }
    }

    /** Whether the descriptor's address of a node is one of this machine. */
    static boolean isHere(NodeDescription node) {
        try {
            InetAddress address = InetAddress.getByName(node.host());
            // Interfaces name one loopback address, and have all of them.
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException | SocketException unknown) {
            return false;
        }
    }
}
