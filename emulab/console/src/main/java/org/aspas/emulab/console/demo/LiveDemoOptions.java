package org.aspas.emulab.console.demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.core.Policy;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.workload.FeedWorkload;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadDefinition;

/**
 * The settings of a live demo. Immutable.
 *
 * @param world the places of servers and clients; its timeline is ignored
 * @param clients the number of clients, from 3
 * @param seed the seed of the demo's own choices
 * @param watched the keys of the counters whose values are shown
 * @param patience how long servers and clients may take to get ready
 */
public record LiveDemoOptions(
        Quorums quorums,
        WorldMap world,
        int clients,
        ToleranceMix mix,
        WorkloadDefinition workload,
        LoadModel.Closed load,
        Policy policy,
        long seed,
        List<String> watched,
        Duration patience) {
    private static final int PACE_MILLIS = 80;
    private static final int POSTS = 100;
    private static final int COMMENT_BYTES = 80;

    /** Inspects more answers than clients do by default, so that spectators need not wait long until a wrong value is noticed. */
    private static final double INSPECTED = 0.05;

    public LiveDemoOptions {
        if (clients < mix.classes().size()) {
            throw new IllegalArgumentException(clients + " clients are fewer than there are classes");
        }
        watched = List.copyOf(watched);
    }

    /**
     * Returns the usual demo: a social feed. Like a person, a client has one operation open and issues the next one when that has ended.
     * No update queues behind others of its client, so with τ = 1 it takes as long as one answer and its confirmation. The load is paced
     * so that it does not saturate the processors.
     */
    public static LiveDemoOptions usual(Quorums quorums, WorldMap world, int clients, long seed) {
        return new LiveDemoOptions(
                quorums,
                world.steady(),
                clients,
                new ToleranceMix(Map.of("1", 20, "4", 40, "unbounded", 40)),
                new FeedWorkload(POSTS, COMMENT_BYTES),
                new LoadModel.Closed(1, PACE_MILLIS),
                Policy.USUAL.withInspection(INSPECTED, Integer.MAX_VALUE),
                seed,
                List.of("feed/views/0", "feed/likes/0", "feed/views/1"),
                Duration.ofSeconds(90));
    }

    public LiveDemoOptions loaded(LoadModel.Closed other) {
        return new LiveDemoOptions(quorums, world, clients, mix, workload, other, policy, seed, watched, patience);
    }
}
