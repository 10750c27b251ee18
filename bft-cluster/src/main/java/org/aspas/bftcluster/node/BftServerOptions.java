package org.aspas.bftcluster.node;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsIdentity;
import org.jspecify.annotations.Nullable;

/**
 * What one process may set for itself; all else is in the descriptor.
 *
 * @param bindHost the address to listen at, such as {@code 0.0.0.0}; null for the one that the descriptor names
 * @param linkAddresses where the links of some nodes are, if elsewhere than the descriptor says; usually empty
 * @param data the directory of the durable record of what this replica accepted and signed; empty keeps it in memory, and
 *     the replica then signs nothing after a restart until 2b+1 others have taught it
 * @param firstStart of a record in memory, whether it begins with the deployment, so that nothing was forgotten
 * @param delay delays what this node sends, for experiments; null for no delay
 * @param tracing where the spans of its work go; null for no tracing
 */
public record BftServerOptions(
        @Nullable String bindHost,
        Map<NodeId, InetSocketAddress> linkAddresses,
        Optional<Path> data,
        boolean firstStart,
        @Nullable LinkDelay delay,
        @Nullable TracingSettings tracing) {
    public BftServerOptions {
        linkAddresses = Map.copyOf(linkAddresses);
    }

    /** Without delay or tracing. */
    public BftServerOptions(
            @Nullable String bindHost, Map<NodeId, InetSocketAddress> linkAddresses, Optional<Path> data) {
        this(bindHost, linkAddresses, data, false, null, null);
    }

    /** Keeps the record in memory. */
    public BftServerOptions(@Nullable String bindHost, Map<NodeId, InetSocketAddress> linkAddresses) {
        this(bindHost, linkAddresses, Optional.empty());
    }

    /** Listens where the descriptor says, finds everyone there, and keeps the record in memory. */
    public static BftServerOptions defaults() {
        return new BftServerOptions(null, Map.of());
    }

    /** These options for a start at which a record in memory begins with the deployment, or for a later one. */
    public BftServerOptions withFirstStart(boolean first) {
        return new BftServerOptions(bindHost, linkAddresses, data, first, delay, tracing);
    }

    /** These options with frames that take their time; null for no delay. */
    public BftServerOptions withDelay(@Nullable LinkDelay frames) {
        return new BftServerOptions(bindHost, linkAddresses, data, firstStart, frames, tracing);
    }

    /** These options with spans that go somewhere; null for no tracing. */
    public BftServerOptions withTracing(@Nullable TracingSettings settings) {
        return new BftServerOptions(bindHost, linkAddresses, data, firstStart, delay, settings);
    }

    /** The links of a bftserver to all servers, which connect nothing yet. */
    NodeLinks links(Descriptor descriptor, NodeId self, SigningKey key, LinkListener listener) {
        Map<NodeId, PublicKey> peers =
                descriptor.nodes().stream().collect(Collectors.toMap(NodeDescription::id, NodeDescription::key));
        NodeDescription described = descriptor.node(self);
        String host = bindHost == null ? described.host() : bindHost;
        return new NodeLinks(
                self,
                TlsIdentity.of(key.seed()),
                peers,
                new InetSocketAddress(host, linkAddress(described).getPort()),
                OrderingEngine.linkLimits(descriptor),
                listener,
                delay);
    }

    InetSocketAddress linkAddress(NodeDescription node) {
        InetSocketAddress given = linkAddresses.get(node.id());
        return given != null ? given : new InetSocketAddress(node.host(), node.linkPort());
    }
}
