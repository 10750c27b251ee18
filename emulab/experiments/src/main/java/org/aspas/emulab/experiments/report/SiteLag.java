package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.sim.script.FigureTree;
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
    private static final String WAITED = "{bound|%6.1f|bound} {allowed|%7.1f|x " + ALLOWED + "} {|%7s|p50} {|%3s|}";

    FigureTree figures() {
        return new FigureTree()
                .with("site", site)
                .with("answer_to_confirmation", waited(lag, boundMs))
                .with("sending_to_confirmation", waited(whole, wholeBoundMs));
    }

    /** What was measured beside the bound that it is allowed a multiple of; nothing measured is neither within nor beyond it. */
    private static FigureTree waited(Summary measured, double bound) {
        double allowed = ALLOWED * bound;
        return new FigureTree()
                .with("measured", measured)
                .with("bound", bound)
                .with("allowed", allowed)
                .withKnown("within", measured.count() == 0 ? null : measured.p50() <= allowed);
    }

    /** The table of sites: medians beside what is allowed. */
    static List<String> lines(List<SiteLag> sites) {
        List<String> lines = new ArrayList<>();
        lines.add(line("", String.format(Locale.ROOT, "%-26s", "answer to confirmation"), "τ=1: sent to confirmed"));
        lines.add(line("p50 against bound, ms", FigureTree.head(WAITED), FigureTree.head(WAITED)));
        sites.forEach(site -> lines.add(
                line(site.site, line(waited(site.lag, site.boundMs)), line(waited(site.whole, site.wholeBoundMs)))));
        return lines;
    }

    private static String line(String site, String lag, String whole) {
        return String.format(Locale.ROOT, "  %-22s %s  %s", site, lag, whole).stripTrailing();
    }

    private static String line(FigureTree waited) {
        boolean measured = waited.has("within");
        return waited.line(
                WAITED,
                measured ? waited.line("{measured.p50|%.1f}") : "none",
                !measured ? "" : waited.is("within") ? "yes" : "NO");
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
