package org.aspas.emulab.lab.cluster;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.bound.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a bftserver of a {@link Cluster} anew when its replica cannot go on: what the supervisor of {@code aspas
 * bftserver} does for a process of its own. Thread-safe.
 */
final class Replacements implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replacements.class);
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;

    private final Cluster cluster;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "replacements");
        made.setDaemon(true);
        return made;
    });

    Replacements(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Closes a bftserver that has failed, unless it is stopped already, and starts it again after a pause. */
    void replace(int index, BftServer failed, String reason) {
        try {
            thread.execute(() -> {
                if (cluster.stopBftserver(index, failed)) {
                    LOG.error("bftserver-{} has failed: {}; it is started again", index, reason);
                    startIn(index, Backoff.of(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
                }
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("bftserver-{} failed while the cluster ends: {}", index, reason);
        }
    }

    private void startIn(int index, Backoff backoff) {
        var unused = thread.schedule(() -> start(index, backoff), backoff.pause(), TimeUnit.MILLISECONDS);
    }

    private void start(int index, Backoff backoff) {
        if (cluster.bftserver(index).isPresent()) {
            return;
        }
        try {
            cluster.startBftserver(index);
        } catch (PortUnavailableException | RecordUnusableException notYet) {
            LOG.error("bftserver-{} cannot be started again yet; the others go on without it", index, notYet);
            startIn(index, backoff.next());
        }
    }

    /** Starts nothing any more; returns when nothing is being started. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(LONGEST_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("a bftserver is slow to start");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
