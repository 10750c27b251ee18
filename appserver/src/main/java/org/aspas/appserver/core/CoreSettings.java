package org.aspas.appserver.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.quorum.Quorums;

/**
 * What an appserver's core knows of its deployment. Immutable.
 *
 * @param index the index of this appserver
 * @param quorums the sizes of the deployment
 * @param verifier the deployment's verifier
 * @param sealer signs with this appserver's key
 * @param keys the public key of every appserver and bftserver
 * @param admits whether a client may take part; the same on every appserver
 * @param limits the bounds
 */
public record CoreSettings(
        int index,
        Quorums quorums,
        Verifier verifier,
        Sealer sealer,
        Map<NodeId, PublicKey> keys,
        Predicate<ClientId> admits,
        CoreLimits limits) {
    /**
     * Copies the keys.
     *
     * @throws IllegalArgumentException when the index is out of range or a key is missing
     */
    public CoreSettings {
        keys = Map.copyOf(keys);
        if (index < 0 || index >= quorums.appservers()) {
            throw new IllegalArgumentException("index = " + index + " is outside 0.." + (quorums.appservers() - 1));
        }
        for (int peer = 0; peer < quorums.appservers(); peer++) {
            requireKey(keys, NodeId.appserver(peer));
        }
        for (int replica = 0; replica < quorums.bftservers(); replica++) {
            requireKey(keys, NodeId.bftserver(replica));
        }
    }

    /**
     * What the descriptor of a deployment says.
     *
     * @param self the appserver
     * @param key its private key
     */
    public static CoreSettings of(Descriptor descriptor, NodeId self, SigningKey key) {
        return new CoreSettings(
                self.index(),
                descriptor.quorums(),
                descriptor.verifier(),
                new Sealer(key, descriptor.id()),
                descriptor.keys(),
                descriptor::admits,
                CoreLimits.of(descriptor.limits(), descriptor.quorums().appservers()));
    }

    private static void requireKey(Map<NodeId, PublicKey> keys, NodeId node) {
        if (!keys.containsKey(node)) {
            throw new IllegalArgumentException("no key of " + node);
        }
    }

    /** This appserver. */
    public NodeId self() {
        return NodeId.appserver(index);
    }

    /** The key of a node, if there is such a node. */
    public Optional<PublicKey> key(NodeId node) {
        return Optional.ofNullable(keys.get(node));
    }

    /** The keys of the bftservers in order. */
    public List<PublicKey> bftserverKeys() {
        List<PublicKey> found = new ArrayList<>();
        for (NodeId replica : bftservers()) {
            key(replica).ifPresent(found::add);
        }
        return found;
    }

    /** The other appservers. */
    public List<NodeId> peers() {
        List<NodeId> peers = new ArrayList<>();
        for (int peer = 0; peer < quorums.appservers(); peer++) {
            if (peer != index) {
                peers.add(NodeId.appserver(peer));
            }
        }
        return peers;
    }

    /** The bftservers. */
    public List<NodeId> bftservers() {
        List<NodeId> replicas = new ArrayList<>();
        for (int replica = 0; replica < quorums.bftservers(); replica++) {
            replicas.add(NodeId.bftserver(replica));
        }
        return replicas;
    }
}
