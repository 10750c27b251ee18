package org.aspas.emulab.testbed.cluster;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The world that a {@link Cluster} runs in. Its network delays the links; its timeline stops and starts bftservers, and lets
 * the network carry out partitions and slow links. A Byzantine appserver knows itself when to begin. Thread-safe.
 */
public final class ClusterWorld implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWorld.class);
    private static final long LAST_START_SECONDS = 30;
    private static final long RETRY_MILLIS = 500;

    private final Cluster cluster;
    private final EmulatedNetwork network;
    private final Set<Integer> down = new ConcurrentSkipListSet<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "world-timeline");
        made.setDaemon(true);
        return made;
    });
    private volatile boolean over;

    ClusterWorld(Cluster cluster, EmulatedNetwork network) {
        this.cluster = cluster;
        this.network = network;
    }

    public EmulatedNetwork network() {
        return network;
    }

    /** The first fault of a world that a deployment in one process cannot have, and why; empty when it can have all. */
    public static Optional<String> impossible(WorldMap world, Quorums quorums) {
        long byzantine = world.faults().stream()
                .filter(WorldFault.Misbehave.class::isInstance)
                .count();
        if (byzantine > 1) {
            return Optional.of("has " + byzantine + " Byzantine appservers, but one process watches one");
        }
        return world.faults().stream()
                .map(fault -> impossible(fault, quorums))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> impossible(WorldFault fault, Quorums quorums) {
        if (fault instanceof WorldFault.Freeze freeze) {
            return Optional.of(
                    "freezes " + freeze.node() + ", but the nodes of one process cannot stand still one by one");
        } else if (fault instanceof WorldFault.Kill kill) {
            return kill.node().role() == Role.APPSERVER
                    ? Optional.of("kills " + kill.node() + ", but an appserver that starts again has forgotten what it "
                            + "signed, and would look like a forger")
                    : absent("kills ", kill.node(), quorums);
        } else if (fault instanceof WorldFault.Misbehave misbehave) {
            return absent("has a Byzantine ", misbehave.node(), quorums);
        }
        return Optional.empty();
    }

    private static Optional<String> absent(String what, NodeId node, Quorums quorums) {
        int nodes = node.role() == Role.APPSERVER ? quorums.appservers() : quorums.bftservers();
        return node.index() < nodes
                ? Optional.empty()
                : Optional.of(what + node + ", but there are " + nodes + " of its kind");
    }

    /** Begins the timeline. To be called once. */
    public void begin() {
        network.begin();
        for (WorldFault fault : network.world().faults()) {
            if (fault instanceof WorldFault.Kill kill) {
                int index = kill.node().index();
                at(kill.begins(), () -> stop(index));
                at(kill.ends(), () -> start(index));
            }
        }
    }

    private void at(long micros, Runnable what) {
        var unused = thread.schedule(what, micros, TimeUnit.MICROSECONDS);
    }

    private void stop(int bftserver) {
        if (!over) {
            LOG.info("the world's timeline stops bftserver-{}", bftserver);
            down.add(bftserver);
            cluster.stopBftserver(bftserver);
        }
    }

    /** Tries until it succeeds: the ordering library may keep its ports for seconds after a stop. */
    private void start(int bftserver) {
        if (!down.contains(bftserver)) {
            return;
        }
        try {
            cluster.startBftserver(bftserver);
            down.remove(bftserver);
            LOG.info("the world's timeline has started bftserver-{} again", bftserver);
        } catch (PortUnavailableException | RecordUnusableException notYet) {
            LOG.info("bftserver-{} cannot be started again yet: {}", bftserver, notYet.getMessage());
            var unused = thread.schedule(() -> start(bftserver), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Ends all faults; returns when what the timeline stopped has been started again. */
    public void end() throws InterruptedException {
        over = true;
        network.end();
        CountDownLatch whole = new CountDownLatch(1);
        thread.execute(() -> {
            Set.copyOf(down).forEach(this::start);
            awaitWhole(whole);
        });
        if (!whole.await(LAST_START_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("the bftservers {} have not started again", down);
        }
    }

    private void awaitWhole(CountDownLatch whole) {
        if (down.isEmpty()) {
            whole.countDown();
        } else {
            var unused = thread.schedule(() -> awaitWhole(whole), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Stops and starts nothing any more; returns when no start is under way. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(LAST_START_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a bftserver is slow to start");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
