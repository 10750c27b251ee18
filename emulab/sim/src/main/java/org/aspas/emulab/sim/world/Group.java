package org.aspas.emulab.sim.world;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.certify.identity.NodeId;

/** Some parties of a world: all that are at some sites, and single nodes. */
public record Group(Set<String> sites, Set<NodeId> nodes) {
    public Group {
        sites = Set.copyOf(sites);
        nodes = Set.copyOf(nodes);
    }

    public boolean has(WorldMap world, NodeId node) {
        return nodes.contains(node)
                || world.siteOf(node).map(Site::name).filter(sites::contains).isPresent();
    }

    public boolean hasClient(WorldMap world, int client) {
        return world.siteOfClient(client)
                .map(Site::name)
                .filter(sites::contains)
                .isPresent();
    }

    /**
     * Whether two parties are in different groups, whatever else they are in.
     *
     * @param one whether a group has the one party
     * @param other whether a group has the other party
     */
    static boolean across(List<Group> groups, Predicate<Group> one, Predicate<Group> other) {
        for (int first = 0; first < groups.size(); first++) {
            for (int second = 0; second < groups.size(); second++) {
                if (first != second && one.test(groups.get(first)) && other.test(groups.get(second))) {
                    return true;
                }
            }
        }
        return false;
    }
}
