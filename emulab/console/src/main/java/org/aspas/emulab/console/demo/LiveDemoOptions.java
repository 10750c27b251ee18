package org.aspas.emulab.console.demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.aspas.certify.quorum.Quorums;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.workload.FeedWorkload;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadDefinition;

/**
 * What a live demo runs. Immutable.
 *
 * @param world where everybody is; its timeline is left out
 * @param clients how many there are, from 3
 * @param seed of what the demo chooses itself
 * @param watched the counters whose values are shown
 * @param patience how long servers and clients may take to be ready
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

    /** More than clients do by themselves: who looks on should not have to wait until a wrong value is noticed. */
    private static final double INSPECTED = 0.05;

    public LiveDemoOptions {
        if (clients < mix.classes().size()) {
            throw new IllegalArgumentException(clients + " clients are fewer than there are classes");
        }
        watched = List.copyOf(watched);
    }

    /**
     * The usual demo: a social feed. A client has one operation open, as a person has, and begins the next one when that has ended. So no
     * update queues behind others of its client, and with τ = 1 it takes as long as one answer and its confirmation. A pace keeps the
     * processors from being full.
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
