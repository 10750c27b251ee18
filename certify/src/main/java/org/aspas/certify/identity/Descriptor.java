package org.aspas.certify.identity;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The deployment descriptor (the protocol page, §1): who the servers are, how many faults are borne, who is admitted, and
 * the shared limits; signed by the operator. Its id is the hash of the exact bytes that the operator signed, and stands
 * under every other signature: whoever holds another descriptor is noticed at once. Immutable.
 *
 * <p>{@link DescriptorFile} reads and writes it.
 */
public final class Descriptor {
    private final Hash id;
    private final String name;
    private final Quorums quorums;
    private final List<NodeDescription> nodes;
    private final Set<PublicKey> admitted;
    private final Limits limits;
    private final Verifier verifier;

    Descriptor(
            Hash id,
            String name,
            Quorums quorums,
            List<NodeDescription> nodes,
            Set<PublicKey> admitted,
            Limits limits) {
        this(id, name, quorums, nodes, admitted, limits, new Verifier(id));
    }

    private Descriptor(
            Hash id,
            String name,
            Quorums quorums,
            List<NodeDescription> nodes,
            Set<PublicKey> admitted,
            Limits limits,
            Verifier verifier) {
        this.id = id;
        this.name = name;
        this.quorums = quorums;
        this.nodes =
                nodes.stream().sorted(Comparator.comparing(NodeDescription::id)).toList();
        this.admitted = Set.copyOf(admitted);
        this.limits = limits;
        this.verifier = verifier;
        checkRole(Role.APPSERVER, quorums.appservers());
        checkRole(Role.BFTSERVER, quorums.bftservers());
    }

    /** Either all appservers have an agreement key, each another one, or no server has. */
    private void checkAgreements() {
        long shares = nodes.stream().filter(node -> node.agreement() != null).count();
        long distinct = agreements().stream().distinct().count();
        if (shares > 0 && (shares != distinct || distinct != quorums.appservers())) {
            throw new IllegalArgumentException(
                    "nodes: either every appserver has an agreementKey of its own, or no server has one");
        }
    }

    private void checkRole(Role role, int expected) {
        List<NodeDescription> members = nodes(role);
        for (int index = 0; index < members.size(); index++) {
            if (members.get(index).id().index() != index) {
                throw new IllegalArgumentException(
                        "nodes: " + members.get(index).id() + " where " + role + " " + index
                                + " is expected; indices are 0.." + (expected - 1) + ", each once");
            }
        }
        if (members.size() != expected) {
            throw new IllegalArgumentException(
                    "nodes: " + members.size() + " of role " + role + ", but the fault bounds need " + expected);
        }
        checkAgreements();
        if (nodes.stream().map(NodeDescription::key).distinct().count() != nodes.size()) {
            throw new IllegalArgumentException("nodes: two servers have one key");
        }
    }

    public Hash id() {
        return id;
    }

    public String name() {
        return name;
    }

    public Quorums quorums() {
        return quorums;
    }

    /** All servers: appservers, then bftservers, each by index. */
    public List<NodeDescription> nodes() {
        return nodes;
    }

    /** The servers of one role, by index. */
    public List<NodeDescription> nodes(Role role) {
        return nodes.stream().filter(node -> node.id().role() == role).toList();
    }

    public Map<NodeId, PublicKey> keys() {
        return nodes.stream().collect(Collectors.toUnmodifiableMap(NodeDescription::id, NodeDescription::key));
    }

    /** The public keys of one role, by index. */
    public List<PublicKey> keys(Role role) {
        return nodes(role).stream().map(NodeDescription::key).toList();
    }

    /** The public halves of the appservers' agreement keys, by index; none where one of them has none: then there are no tags. */
    public List<AgreementShare> agreements() {
        List<AgreementShare> shares = nodes(Role.APPSERVER).stream()
                .map(NodeDescription::agreement)
                .filter(Objects::nonNull)
                .toList();
        return shares.size() == quorums.appservers() ? shares : List.of();
    }

    /**
     * One server.
     *
     * @throws IllegalArgumentException when the descriptor does not list it
     */
    public NodeDescription node(NodeId node) {
        return nodes.stream()
                .filter(candidate -> candidate.id().equals(node))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the descriptor lists no " + node));
    }

    /** Whether a client may open sessions: anyone when the list of the admitted is empty, else those listed. */
    public boolean admits(ClientId client) {
        return admitted.isEmpty() || admitted.contains(client.key());
    }

    /** The clients that are admitted by name; empty when anyone is. */
    public Set<PublicKey> admitted() {
        return admitted;
    }

    public Limits limits() {
        return limits;
    }

    /**
     * The same deployment with signatures of another scheme; for experiments. Whoever is given the copy takes what the scheme
     * takes, whoever has the original does not.
     */
    public Descriptor verifiedBy(SignatureScheme scheme) {
        return new Descriptor(id, name, quorums, nodes, admitted, limits, new Verifier(id, scheme));
    }

    /** The same deployment, whose verifier tells a meter of what it verifies. */
    public Descriptor metered(SignatureMeter meter) {
        return new Descriptor(id, name, quorums, nodes, admitted, limits, verifier.metered(meter));
    }

    public Verifier verifier() {
        return verifier;
    }

    @Override
    public String toString() {
        return "Descriptor(" + name + ", " + id + ")";
    }
}
