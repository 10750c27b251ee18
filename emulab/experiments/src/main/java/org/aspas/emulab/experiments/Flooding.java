package org.aspas.emulab.experiments;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.experiments.report.ComparisonReport.Leg;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.experiments.usage.ThreadTimes;
import org.aspas.emulab.lab.attack.Flood;
import org.aspas.emulab.lab.attack.FloodPlan;
import org.aspas.emulab.rivals.aspas.AspasSystem;
import org.aspas.emulab.workload.StoreSession;

/**
 * Floods as a treatment: the same clients, while others flood every appserver. What the attackers themselves take of the processors
 * is counted apart, by their threads, and as much is burnt beside the legs without them.
 *
 * @param perSecond how many frames a second each of the flooding clients would like to send
 * @param seed where their keys come from
 */
record Flooding(FloodPlan plan, int perSecond, long seed) implements Comparison.Treatment {
    private static final Path SELF = Path.of("/proc/self");
    private static final String THREADS = "flood";
    /** The one thread of the attackers' connections that the JDK names. */
    private static final String SELECTOR = "HttpClient-";

    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public Subject subject() {
        return new Subject(plan.name(), perSecond + "/s", "flood_frames");
    }

    @Override
    public String title() {
        return "what " + plan.kinds().size() + " clients at each appserver cost the others, which send " + perSecond
                + " frames/s each (" + plan.name() + ")";
    }

    @Override
    public Policy policy(boolean on) {
        return Policy.STAY;
    }

    /** So that it is known what attackers take before the first leg without them, and their code is compiled. */
    @Override
    public boolean rehearsed() {
        return true;
    }

    @Override
    public Comparison.Running begin(AspasSystem system) {
        Set<String> others = ThreadTimes.of(SELF).threads().keySet();
        ClientResources resources = ClientResources.create(THREADS, processors());
        Flood flood = Flood.begin(system.cluster().descriptor(), resources, plan, perSecond, seed);
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return flood.frames();
            }

            @Override
            public double processorSeconds() {
                return attackersNanos(others) / NANOS_PER_SECOND;
            }

            @Override
            public void close() {
                flood.close();
                resources.close();
            }
        };
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static long attackersNanos(Set<String> others) {
        return ThreadTimes.of(SELF).threads().entrySet().stream()
                .filter(one -> one.getValue().name().startsWith(THREADS)
                        || one.getValue().name().startsWith(SELECTOR) && !others.contains(one.getKey()))
                .mapToLong(one -> one.getValue().nanos())
                .sum();
    }

    @Override
    public Comparison.Running beside(List<Leg> before) {
        double cores = before.stream()
                .filter(Leg::on)
                .mapToDouble(Leg::apartCores)
                .average()
                .orElse(0);
        Burner burner = new Burner(cores, processors());
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return 0;
            }

            @Override
            public double processorSeconds() {
                return burner.seconds();
            }

            @Override
            public void close() {
                burner.close();
            }
        };
    }
}
