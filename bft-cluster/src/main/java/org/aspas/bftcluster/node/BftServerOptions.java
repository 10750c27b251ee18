package org.aspas.bftcluster.node;

import java.net.InetSocketAddress;
import java.util.Map;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;

/**
 * What one process may set for itself; all else is in the descriptor.
 *
 * @param bindHost the address to listen at, such as {@code 0.0.0.0}
 * @param linkAddresses where the links of some nodes are, if elsewhere than the descriptor says; usually empty
 */
public record BftServerOptions(String bindHost, Map<NodeId, InetSocketAddress> linkAddresses) {
    /** Copies the map. */
    public BftServerOptions {
        linkAddresses = Map.copyOf(linkAddresses);
    }

    /** Listens on all addresses, and finds everyone where the descriptor says. */
    public static BftServerOptions defaults() {
        return new BftServerOptions("0.0.0.0", Map.of());
    }

    InetSocketAddress linkAddress(NodeDescription node) {
        InetSocketAddress given = linkAddresses.get(node.id());
        return given != null ? given : new InetSocketAddress(node.host(), node.linkPort());
    }
}
