package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.Descriptor;
import org.aspas.emulab.sim.world.WorldMap.SitePair;
import org.jspecify.annotations.Nullable;

/** Writes the fields of {@code hello} that all consoles have in common. */
public final class HelloFields {
    private static final double ONE_WAY = 0.5;

    private HelloFields() {}

    /**
     * Returns the constant fields; the console fills in {@code topology} and {@code roles}.
     *
     * @param mode {@code demo} or {@code deployment}
     * @param actions the actions that a page can request; without any, the console is read-only
     */
    public static ObjectNode begin(String mode, String title, Descriptor descriptor, List<String> actions) {
        ObjectNode frame = ConsoleState.object()
                .put("version", 1)
                .put("t", 0)
                .put("mode", mode)
                .put("readOnly", actions.isEmpty())
                .put("title", title);
        frame.putObject("deployment")
                .put("id", descriptor.id().toString())
                .put("f", descriptor.quorums().f())
                .put("b", descriptor.quorums().b())
                .put("appservers", descriptor.quorums().appservers())
                .put("bftservers", descriptor.quorums().bftservers());
        actions.forEach(frame.putArray("actions")::add);
        frame.putObject("topology");
        frame.putArray("roles");
        frame.putArray("nodes");
        frame.putArray("classes");
        frame.putArray("keys");
        return frame;
    }

    /**
     * Adds all pairs of sites to a topology, each once.
     *
     * @param roundTrips the known round trips in milliseconds
     * @param otherwise the round trip of all other pairs; null if it is unknown
     */
    public static void links(
            ObjectNode topology, List<String> sites, Map<SitePair, Double> roundTrips, @Nullable Double otherwise) {
        ArrayNode links = topology.putArray("links");
        for (int one = 0; one < sites.size(); one++) {
            for (int other = one + 1; other < sites.size(); other++) {
                String from = sites.get(one);
                String to = sites.get(other);
                Double known = roundTrips.get(SitePair.of(from, to));
                Double roundTrip = known == null ? otherwise : known;
                links.addObject()
                        .put("from", from)
                        .put("to", to)
                        .put("oneWayMillis", roundTrip == null ? null : Double.valueOf(roundTrip * ONE_WAY));
            }
        }
    }
}
