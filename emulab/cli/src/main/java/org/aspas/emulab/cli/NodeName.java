package org.aspas.emulab.cli;

import java.util.List;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;

/** A node that an option names, such as {@code appserver-0}. */
final class NodeName {
    private NodeName() {}

    /**
     * The node of this name.
     *
     * @throws IllegalArgumentException naming the option, and which nodes there are
     */
    static NodeDescription of(Descriptor descriptor, String option, String name) {
        return of(descriptor, descriptor.nodes(), option, name);
    }

    /** As the other one, of these nodes of the deployment alone. */
    static NodeDescription of(Descriptor descriptor, List<NodeDescription> nodes, String option, String name) {
        return nodes.stream()
                .filter(node -> node.id().toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(option + " " + name + ": " + descriptor.name()
                        + " has no such node; it has appserver-0 to "
                        + (descriptor.quorums().appservers() - 1) + " and bftserver-0 to "
                        + (descriptor.quorums().bftservers() - 1)));
    }
}
