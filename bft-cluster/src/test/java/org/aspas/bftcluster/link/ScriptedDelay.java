package org.aspas.bftcluster.link;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.aspas.certify.identity.NodeId;

/** A delay by the length of a frame, to all peers, and a cut that the test makes and mends. */
final class ScriptedDelay implements LinkDelay, LinkDelay.Way, AutoCloseable {
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final IntToLongFunction millisByBytes;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    final List<Long> latenesses = new CopyOnWriteArrayList<>();
    volatile boolean cut;

    ScriptedDelay(IntToLongFunction millisByBytes) {
        this.millisByBytes = millisByBytes;
    }

    @Override
    public Way to(NodeId peer) {
        return this;
    }

    @Override
    public long due(long sent, int bytes) {
        return sent + TimeUnit.MILLISECONDS.toNanos(millisByBytes.applyAsLong(bytes));
    }

    @Override
    public long open(long now) {
        return cut ? now + ASK_AGAIN_NANOS : now;
    }

    @Override
    public void left(long sent, long due, long now) {
        latenesses.add(now - due);
    }

    @Override
    public void wake(long moment, Runnable task) {
        try {
            var unused = timer.schedule(task, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            // The test ends.
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
