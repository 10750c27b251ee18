package org.aspas.appserver.core.state;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.tag.SessionTags;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/**
 * What an appserver's core knows of its deployment. Immutable but for the sessions.
 *
 * @param sealer signs with this appserver's key
 * @param keys the public key of every appserver and bftserver
 * @param admits whether a client may take part; the same on every appserver
 * @param tags the sessions whose tags this server can judge, which the shell asks, too; of this run of the core, so that it is empty at a start
 */
public record CoreSettings(
        int index,
        Quorums quorums,
        Verifier verifier,
        Sealer sealer,
        Map<NodeId, PublicKey> keys,
        Predicate<ClientId> admits,
        CoreLimits limits,
        SessionTags tags) {
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

    public static CoreSettings of(Descriptor descriptor, NodeId self, SigningKey key) {
        return of(descriptor, self, key, RetentionLimits.USUAL, SessionTags.none(descriptor.id(), self.index()));
    }

    /** As the other one, with tags, and bounds of what is kept; how many certificates at least, the descriptor says. */
    public static CoreSettings of(
            Descriptor descriptor, NodeId self, SigningKey key, RetentionLimits retention, SessionTags tags) {
        CoreLimits limits =
                CoreLimits.of(descriptor.limits(), descriptor.quorums().appservers());
        int certificates = limits.retention().certificates();
        return new CoreSettings(
                self.index(),
                descriptor.quorums(),
                descriptor.verifier(),
                new Sealer(key, descriptor.id()),
                descriptor.keys(),
                descriptor::admits,
                limits.keeping(retention.keeping(certificates, retention.millis())),
                tags);
    }

    private static void requireKey(Map<NodeId, PublicKey> keys, NodeId node) {
        if (!keys.containsKey(node)) {
            throw new IllegalArgumentException("no key of " + node);
        }
    }

    public NodeId self() {
        return NodeId.appserver(index);
    }

    public Optional<PublicKey> key(NodeId node) {
        return Optional.ofNullable(keys.get(node));
    }

    public boolean signedBy(NodeId node, Signed<?> signed, Domain domain) {
        return key(node).filter(key -> signed.verify(verifier, key, domain)).isPresent();
    }

    /** The keys of the appservers in order. */
    public List<PublicKey> appserverKeys() {
        return keysOf(appservers());
    }

    /** The keys of the bftservers in order. */
    public List<PublicKey> bftserverKeys() {
        return keysOf(bftservers());
    }

    private List<PublicKey> keysOf(List<NodeId> nodes) {
        return nodes.stream().flatMap(node -> key(node).stream()).toList();
    }

    private List<NodeId> appservers() {
        return IntStream.range(0, quorums.appservers())
                .mapToObj(NodeId::appserver)
                .toList();
    }

    /** The other appservers. */
    public List<NodeId> peers() {
        return appservers().stream().filter(node -> node.index() != index).toList();
    }

    public List<NodeId> bftservers() {
        return IntStream.range(0, quorums.bftservers())
                .mapToObj(NodeId::bftserver)
                .toList();
    }
}
