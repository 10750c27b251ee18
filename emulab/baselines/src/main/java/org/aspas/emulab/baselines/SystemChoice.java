package org.aspas.emulab.baselines;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.store.Durability;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.core.Policy;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.ToleranceMix;
import org.jspecify.annotations.Nullable;

/**
 * A system that can be started.
 *
 * @param about what it is, in one sentence for people
 * @param durability what answers of its appservers wait for; null for a system whose servers keep all in memory
 */
public record SystemChoice(
        String name,
        String about,
        ToleranceMix mix,
        Starter starter,
        @Nullable Durability durability) {
    /** A system whose servers keep all in memory. */
    public SystemChoice(String name, String about, ToleranceMix mix, Starter starter) {
        this(name, about, mix, starter, null);
    }

    /** Starts a system in this process. */
    @FunctionalInterface
    public interface Starter {
        /**
         * Starts it, and returns when its servers have found each other.
         *
         * @throws TimeoutException when a server is not ready in time; the message names it
         */
        SystemUnderTest start(Options options) throws IOException, InterruptedException, TimeoutException;
    }

    /**
     * What a system is started with.
     *
     * @param quorums how many faults it bears, and so how many servers it has
     * @param policy how clients of ASPAS guard themselves; nobody else's do
     * @param patience how long its servers may take to find each other
     * @param network the network of the world that it is in; null without one. A system that does not use it takes no world
     * @param keeping how servers of ASPAS keep what they know; nobody else's do. What their answers wait for, the system says
     */
    public record Options(
            Quorums quorums,
            Policy policy,
            Duration patience,
            @Nullable EmulatedNetwork network,
            StorageOptions keeping) {}

    /** The same system with servers that keep what they must in files; for ASPAS. */
    public SystemChoice keeping(Durability answers) {
        String word = answers.name().toLowerCase(Locale.ROOT);
        return new SystemChoice(
                name + ":" + word,
                about + "; all servers keep their records in files, those of appservers by --durability " + word,
                mix,
                starter,
                answers);
    }

    /**
     * Starts it, and returns when its servers have found each other.
     *
     * @throws TimeoutException when a server is not ready in time; the message names it
     */
    public SystemUnderTest start(Options options) throws IOException, InterruptedException, TimeoutException {
        return starter.start(new Options(
                options.quorums(),
                options.policy(),
                options.patience(),
                options.network(),
                options.keeping().with(durability)));
    }
}
