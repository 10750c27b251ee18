package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.console.feed.HelloFields;
import org.aspas.emulab.sim.world.Site;
import org.aspas.emulab.sim.world.WorldMap;

/** The constant part of a deployment, as the first event describes it. */
final class WatchFrame {
    private WatchFrame() {}

    /** Returns the name of a node's site: the world's, or without one the name of the appserver with the same index. */
    static String site(WatchOptions options, NodeId node) {
        WorldMap world = options.world();
        return Optional.ofNullable(world)
                .flatMap(known -> known.siteOf(node))
                .map(Site::name)
                .orElse(NodeId.appserver(
                                node.index() % options.descriptor().quorums().appservers())
                        .toString());
    }

    /** Returns the constant fields of {@code hello}. */
    static ObjectNode frame(WatchOptions options, List<String> actions) {
        Descriptor descriptor = options.descriptor();
        ObjectNode frame =
                HelloFields.begin("deployment", "ASPAS deployment " + descriptor.name(), descriptor, actions);
        topology(frame.withObject("/topology"), options);
        return frame;
    }

    private static void topology(ObjectNode topology, WatchOptions options) {
        WorldMap world = options.world();
        topology.put("world", world == null ? null : world.name());
        topology.put("about", world == null ? "" : world.about());
        Map<String, ArrayNode> nodes = new LinkedHashMap<>();
        ArrayNode sites = topology.putArray("sites");
        for (NodeDescription node : options.descriptor().nodes()) {
            String name = site(options, node.id());
            nodes.computeIfAbsent(name, fresh -> {
                        ObjectNode fields = sites.addObject().put("name", fresh);
                        place(
                                fields,
                                Optional.ofNullable(world)
                                        .map(known -> known.sites().get(fresh)));
                        ArrayNode here = fields.putArray("nodes");
                        fields.putNull("clients");
                        return here;
                    })
                    .add(node.id().toString());
        }
        HelloFields.links(topology, List.copyOf(nodes.keySet()), world == null ? Map.of() : world.roundTrips(), null);
    }

    private static void place(ObjectNode fields, Optional<Site> site) {
        fields.put("near", site.map(Site::near).orElse(""));
        fields.put("latitude", site.map(Site::latitude).orElse(null));
        fields.put("longitude", site.map(Site::longitude).orElse(null));
    }
}
