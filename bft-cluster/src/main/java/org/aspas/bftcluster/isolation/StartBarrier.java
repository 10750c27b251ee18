package org.aspas.bftcluster.isolation;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Holds back a replica's first request until enough replicas take part. The library sends a proposal once. Replicas
 * that start a moment later would miss it and wait for a change of leader, and one that missed the change would ask for
 * another, alone.
 *
 * <p>The barrier opens when this replica and all others take part. It also opens when this replica and 2b others have
 * taken part for a while; the while is shorter when the missing ones are not even linked. Once open, it stays open.
 * Thread-safe.
 */
final class StartBarrier {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long UNLINKED_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_MILLIS = 50;

    private final int others;
    private final int enough;
    private final Set<Integer> ready = new TreeSet<>();
    private final Set<Integer> linked = new TreeSet<>();
    private boolean self;
    private long enoughSince;
    private volatile boolean open;

    /** Makes a closed barrier; {@code enough} other replicas can order together with this one. */
    StartBarrier(int others, int enough) {
        this.others = others;
        this.enough = enough;
    }

    synchronized void selfReady() {
        self = true;
        enoughSince = System.nanoTime();
    }

    synchronized void ready(int peer) {
        if (ready.add(peer) && ready.size() == enough) {
            enoughSince = System.nanoTime();
        }
    }

    synchronized void linked(int peer) {
        linked.add(peer);
    }

    synchronized void unlinked(int peer) {
        linked.remove(peer);
    }

    /** Whether another replica has not said that it takes part, and is not linked either. */
    synchronized boolean isAbsent(int peer) {
        return !ready.contains(peer) && !linked.contains(peer);
    }

    /**
     * Waits until requests may be given to the library; once open, always.
     *
     * @return false when the waiting thread is interrupted
     */
    boolean await() {
        while (!open && !openNow(System.nanoTime())) {
            try {
                synchronized (this) {
                    wait(LOOK_MILLIS);
                }
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private synchronized boolean openNow(long now) {
        long patience = ready.containsAll(linked) ? UNLINKED_PATIENCE_NANOS : PATIENCE_NANOS;
        open = self && (ready.size() == others || ready.size() >= enough && now - enoughSince >= patience);
        return open;
    }
}
