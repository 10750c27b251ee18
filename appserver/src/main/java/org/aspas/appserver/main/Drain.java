package org.aspas.appserver.main;

import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.actor.CoreHandle;
import org.aspas.appserver.core.port.CoreStatus;
import org.aspas.appserver.core.port.Event;
import org.aspas.certify.identity.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until nobody needs a server that is about to end. */
final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final long PAUSE_MILLIS = 50;
    /** The JSON API's client has a session, and stays. */
    private static final long OWN_SESSIONS = 1;

    private Drain() {}

    static void of(NodeId self, CoreHandle core, Duration patience) {
        LOG.info("{} drains", self);
        long end = System.nanoTime() + patience.toNanos();
        try {
            core.happened(new Event.Drain()).toCompletableFuture().join();
            while (!done(core.status().toCompletableFuture().join())) {
                if (System.nanoTime() - end >= 0) {
                    LOG.warn("{} ends with clients, or with entries that no certificate covers", self);
                    return;
                }
                pause();
            }
        } catch (CompletionException stopped) {
            LOG.warn("{} cannot drain: its core has stopped", self);
        }
    }

    private static boolean done(CoreStatus status) {
        SortedMap<String, Long> gauges = status.gauges();
        return gauges.getOrDefault("sessions", 0L) <= OWN_SESSIONS
                && gauges.getOrDefault("uncertified_own_entries", 0L) == 0;
    }

    private static void pause() {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS))
                .join();
    }
}
