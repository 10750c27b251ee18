package org.aspas.emulab.sim.script;

import java.util.Map;
import java.util.Set;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.Costs;
import org.aspas.emulab.sim.node.Linear;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.StepMeter;
import org.aspas.emulab.sim.node.Workload;

/**
 * A correct system that is much slower than its load, as one that has just started on a busy machine: answers take many times
 * the grace time. All clients may leave their servers, and none gains by it.
 */
public final class SlowSystem {
    private static final double MOST_WITH_REFUSALS = 1.1;
    private static final double UPDATE_NANOS = 250e6;
    private static final double MOST_ENTRIES = 1.05;

    private SlowSystem() {}

    /** Four appservers that take 16 updates a second together, and eight clients that make 40. */
    public static Settings settings(long seed) {
        return settings(seed, 8);
    }

    /** The same load by more clients: each hears of its server every few seconds. */
    public static Settings manyClients(long seed) {
        return settings(seed, 40);
    }

    /** Reads, and keys that clients share under several types: refusals of what does not fit make clients leave too. */
    public static Settings fullWorkload(long seed) {
        return settings(seed).withWorkload(Workload.Mix.FULL).withMostEntriesPerUpdate(MOST_WITH_REFUSALS);
    }

    private static Settings settings(long seed, int clients) {
        Linear free = Linear.FREE;
        Costs costs = new Costs(
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                Map.of("appserver REQUEST", new Linear(UPDATE_NANOS, 0)));
        return Settings.of(seed)
                .withFaults(Set.of(), 1_000_000)
                .withClients(clients, clients * 25_000L)
                .withMicros(20 * Timeline.SECOND)
                .withWorkload(Workload.Mix.COUNTERS)
                .withTolerance(0)
                .withWary(true)
                .withMostEntriesPerUpdate(MOST_ENTRIES)
                .withProcessors(new ProcessorModel(costs, 1, 50, false, LoadedSystem.ASPAS0, 0, StepMeter.NONE));
    }
}
