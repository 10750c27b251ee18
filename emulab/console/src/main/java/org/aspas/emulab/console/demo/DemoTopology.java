package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.emulab.console.feed.HelloFields;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.world.Site;
import org.aspas.emulab.sim.world.WorldMap;

/** What of a demo never changes, as the first event tells it. */
final class DemoTopology {
    private DemoTopology() {}

    /** The fields of {@code hello} that never change. */
    static ObjectNode frame(LiveDemoOptions options, Descriptor descriptor, List<String> actions) {
        WorldMap world = options.world();
        ObjectNode frame = HelloFields.begin("demo", "ASPAS demo in world " + world.name(), descriptor, actions);
        ObjectNode topology =
                frame.withObject("/topology").put("world", world.name()).put("about", world.about());
        sites(topology.putArray("sites"), options, descriptor);
        HelloFields.links(topology, List.copyOf(world.sites().keySet()), world.roundTrips(), 0.0);
        ArrayNode roles = frame.withArray("/roles");
        LiveDemo.roles()
                .forEach(role -> roles.addObject()
                        .put("name", role)
                        .put("line", Roles.line(role))
                        .put("provable", Roles.isProvable(role)));
        return frame;
    }

    private static void sites(ArrayNode sites, LiveDemoOptions options, Descriptor descriptor) {
        WorldMap world = options.world();
        for (Site site : world.sites().values()) {
            ObjectNode fields = sites.addObject()
                    .put("name", site.name())
                    .put("near", site.near())
                    .put("latitude", site.latitude())
                    .put("longitude", site.longitude());
            ArrayNode nodes = fields.putArray("nodes");
            descriptor.nodes().stream()
                    .map(NodeDescription::id)
                    .filter(node -> Optional.of(site).equals(world.siteOf(node)))
                    .forEach(node -> nodes.add(node.toString()));
            long clients = 0;
            for (int client = 0; client < options.clients(); client++) {
                clients += Optional.of(site).equals(world.siteOfClient(client)) ? 1 : 0;
            }
            fields.put("clients", clients);
        }
    }
}
