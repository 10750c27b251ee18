package org.aspas.emulab.console.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.world.Site;
import org.aspas.emulab.sim.world.WorldMap;

/** What of a demo never changes, as the first event tells it. */
final class DemoTopology {
    private static final double MILLIS_ONE_WAY = 0.5;

    private DemoTopology() {}

    /** The fields of {@code hello} that never change. */
    static ObjectNode frame(LiveDemoOptions options, Descriptor descriptor, List<String> actions) {
        WorldMap world = options.world();
        ObjectNode frame = ConsoleState.object()
                .put("version", 1)
                .put("t", 0)
                .put("mode", "demo")
                .put("readOnly", false)
                .put("title", "ASPAS demo in world " + world.name());
        frame.putObject("deployment")
                .put("id", descriptor.id().toString())
                .put("f", options.quorums().f())
                .put("b", options.quorums().b())
                .put("appservers", options.quorums().appservers())
                .put("bftservers", options.quorums().bftservers());
        actions.forEach(frame.putArray("actions")::add);
        ObjectNode topology =
                frame.putObject("topology").put("world", world.name()).put("about", world.about());
        sites(topology.putArray("sites"), options);
        links(topology.putArray("links"), world);
        ArrayNode roles = frame.putArray("roles");
        LiveDemo.roles()
                .forEach(role -> roles.addObject()
                        .put("name", role)
                        .put("line", Roles.line(role))
                        .put("provable", Roles.isProvable(role)));
        frame.putArray("nodes");
        frame.putArray("classes");
        frame.putArray("keys");
        return frame;
    }

    private static void sites(ArrayNode sites, LiveDemoOptions options) {
        WorldMap world = options.world();
        for (Site site : world.sites().values()) {
            ObjectNode fields = sites.addObject()
                    .put("name", site.name())
                    .put("near", site.near())
                    .put("latitude", site.latitude())
                    .put("longitude", site.longitude());
            ArrayNode nodes = fields.putArray("nodes");
            nodes(options).stream()
                    .filter(node -> Optional.of(site).equals(world.siteOf(node)))
                    .forEach(node -> nodes.add(node.toString()));
            long clients = 0;
            for (int client = 0; client < options.clients(); client++) {
                clients += Optional.of(site).equals(world.siteOfClient(client)) ? 1 : 0;
            }
            fields.put("clients", clients);
        }
    }

    private static List<NodeId> nodes(LiveDemoOptions options) {
        List<NodeId> nodes = new ArrayList<>();
        for (int server = 0; server < options.quorums().appservers(); server++) {
            nodes.add(NodeId.appserver(server));
        }
        for (int replica = 0; replica < options.quorums().bftservers(); replica++) {
            nodes.add(NodeId.bftserver(replica));
        }
        return nodes;
    }

    private static void links(ArrayNode links, WorldMap world) {
        List<String> names = List.copyOf(world.sites().keySet());
        for (int one = 0; one < names.size(); one++) {
            for (int other = one + 1; other < names.size(); other++) {
                String from = names.get(one);
                String to = names.get(other);
                double roundTrip = world.roundTrips().getOrDefault(WorldMap.SitePair.of(from, to), 0.0);
                links.addObject().put("from", from).put("to", to).put("oneWayMillis", roundTrip * MILLIS_ONE_WAY);
            }
        }
    }
}
