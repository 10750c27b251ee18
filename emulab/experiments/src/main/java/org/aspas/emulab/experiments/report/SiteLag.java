package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.sim.world.LagBound;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.workload.SiteMeasures;

/**
 * What the clients of one appserver of a world waited for, in milliseconds.
 *
 * @param site the appserver, and its site where the world has one
 * @param lag from the verified answer to the verified confirmation
 * @param boundMs what that takes at least, a + 4d + 12e
 * @param whole from sending to the verified confirmation, of τ=1 clients
 * @param wholeBoundMs what that takes at least, 2c + a + 4d + 12e, for the nearest of its clients
 */
public record SiteLag(String site, Summary lag, double boundMs, Summary whole, double wholeBoundMs) {
    /** How many times the bound the median may be. */
    public static final double ALLOWED = 1.3;

    private static final double MICROS_PER_MILLI = 1000;

    /** Whether the median lag is within {@value #ALLOWED} times its bound; true where nothing was measured. */
    public boolean lagWithin() {
        return lag.p50() <= ALLOWED * boundMs;
    }

    /** Whether the median of τ=1 clients is within {@value #ALLOWED} times its bound; true where nothing was measured. */
    public boolean wholeWithin() {
        return whole.p50() <= ALLOWED * wholeBoundMs;
    }

    /**
     * The figures of every home at which something was confirmed.
     *
     * @param measures by the index of the home
     */
    public static List<SiteLag> of(WorldMap world, Quorums quorums, SiteMeasures measures, int clients) {
        LagBound bound = new LagBound(world, quorums);
        List<SiteLag> sites = new ArrayList<>();
        for (int home : measures.sites()) {
            NodeId server = NodeId.appserver(home);
            long whole = IntStream.range(0, clients)
                    .filter(client -> world.home(client, quorums.appservers()) == home)
                    .mapToLong(client -> bound.sendingToConfirmation(client, home))
                    .min()
                    .orElse(0);
            sites.add(new SiteLag(
                    world.siteOf(server).map(site -> home + " " + site.name()).orElse(server.toString()),
                    Summary.ofMicros(measures.lag(home)),
                    bound.answerToConfirmation(home) / MICROS_PER_MILLI,
                    Summary.ofMicros(measures.sendingToConfirmation(home)),
                    whole / MICROS_PER_MILLI));
        }
        return sites;
    }

    /** The least time of each step in a world, the mean over the appservers, in microseconds. */
    public static Map<LagStep, Long> leastMicros(WorldMap world, Quorums quorums) {
        LagBound bound = new LagBound(world, quorums);
        Map<LagStep, Long> mean = new EnumMap<>(LagStep.class);
        for (int home = 0; home < quorums.appservers(); home++) {
            bound.steps(home).forEach((step, micros) -> mean.merge(step, micros, Long::sum));
        }
        mean.replaceAll((step, sum) -> sum / quorums.appservers());
        return mean;
    }
}
