package org.aspas.emulab.testbed.cluster;

import java.nio.file.Path;
import java.util.function.IntFunction;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.appserver.store.Durability;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.aspas.certify.identity.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * What the servers of a {@link Cluster} do otherwise than is usual. Immutable.
 *
 * @param data the directory of what nodes keep, a directory named as the node for each; null keeps all in memory
 * @param scratch whether the cluster removes that directory when it is closed
 * @param durability what the answers of appservers wait for, which then have stores in {@code data}; null gives them no
 *     store
 * @param retention how long appservers keep what is certified; how many certificates at least, the descriptor says
 * @param machines what each appserver runs, by its index
 * @param network delays what the nodes send to each other, and is closed after the cluster; null for no delay
 * @param tracing where the spans of all nodes go; null for no tracing
 */
public record ClusterOptions(
        @Nullable Path data,
        boolean scratch,
        @Nullable Durability durability,
        RetentionLimits retention,
        IntFunction<MachineMaker> machines,
        @Nullable EmulatedNetwork network,
        @Nullable TracingSettings tracing) {
    /** Checks that appservers with stores have a directory for them. */
    public ClusterOptions {
        if (data == null && (durability != null || scratch)) {
            throw new IllegalArgumentException("appservers with stores need a directory for them");
        }
    }

    /** Nothing is kept, no delay, and all servers are correct. */
    public static ClusterOptions defaults() {
        return new ClusterOptions(null, false, null, RetentionLimits.USUAL, server -> MachineMaker.CORE, null, null);
    }

    /** These options with durable records of the bftservers, so that all of them can stop and start again. */
    public ClusterOptions withRecords(Path directory) {
        return new ClusterOptions(directory, false, durability, retention, machines, network, tracing);
    }

    /**
     * These options with nodes that keep what they must on the disk.
     *
     * @param directory of what they keep, a directory named as the node for each
     * @param removed whether the cluster removes it when it is closed
     * @param answers what the answers of appservers wait for
     */
    public ClusterOptions withStores(Path directory, boolean removed, Durability answers) {
        return new ClusterOptions(directory, removed, answers, retention, machines, network, tracing);
    }

    public ClusterOptions withRetention(RetentionLimits limits) {
        return new ClusterOptions(data, scratch, durability, limits, machines, network, tracing);
    }

    public ClusterOptions withMachines(IntFunction<MachineMaker> made) {
        return new ClusterOptions(data, scratch, durability, retention, made, network, tracing);
    }

    /** These options in a world; null for none. */
    public ClusterOptions in(@Nullable EmulatedNetwork world) {
        return new ClusterOptions(data, scratch, durability, retention, machines, world, tracing);
    }

    /** What a node delays; null for nothing. */
    @Nullable
    LinkDelay delayOf(NodeId node) {
        return network == null ? null : network.delayOf(node);
    }

    /** These options with tracing; null for none. */
    public ClusterOptions withTracing(@Nullable TracingSettings settings) {
        return new ClusterOptions(data, scratch, durability, retention, machines, network, settings);
    }
}
