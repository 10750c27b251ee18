package org.aspas.emulab.sim.world;

import java.util.Set;
import org.aspas.certify.identity.NodeId;

/**
 * Some parties of a world: all that are at some sites, and single nodes.
 *
 * @param sites by name
 * @param nodes besides
 */
public record Group(Set<String> sites, Set<NodeId> nodes) {
    /** Copies the sets. */
    public Group {
        sites = Set.copyOf(sites);
        nodes = Set.copyOf(nodes);
    }

    /** Whether a node belongs to it. */
    public boolean has(WorldMap world, NodeId node) {
        return nodes.contains(node)
                || world.siteOf(node).map(Site::name).filter(sites::contains).isPresent();
    }

    /** Whether a client belongs to it. */
    public boolean hasClient(WorldMap world, int client) {
        return world.siteOfClient(client)
                .map(Site::name)
                .filter(sites::contains)
                .isPresent();
    }
}
