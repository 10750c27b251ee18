package org.aspas.bftcluster.link;

import io.netty.channel.Channel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one connection that are on their way, in order. While there are any, one timer waits for the first of them;
 * those that are due together leave together. Thread-safe.
 */
final class DelayedFrames {
    private final Channel channel;
    private final LinkDelay.Way way;
    private final Consumer<byte[]> writer;
    private final Runnable releaseOnLoop = this::releaseOnLoop;
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    /** Whoever sets it owns the fields below, and hands them on to the timer and the event loop. */
    private final AtomicBoolean busy = new AtomicBoolean();

    private @Nullable Sent first;
    private long due;
    private long opened = System.nanoTime();

    private record Sent(byte[] frame, long moment) {}

    /** Makes an empty queue. The writer writes a frame on the channel's event loop, without flushing. */
    DelayedFrames(Channel channel, LinkDelay.Way way, Consumer<byte[]> writer) {
        this.channel = channel;
        this.way = way;
        this.writer = writer;
    }

    /** Takes a frame; false when the event loop has ended. */
    boolean add(byte[] frame) {
        sent.add(new Sent(frame, System.nanoTime()));
        return !busy.compareAndSet(false, true) || awaitFirst();
    }

    private boolean awaitFirst() {
        if (head() == null || due - System.nanoTime() <= 0) {
            return releaseOnLoop();
        }
        way.wake(due, releaseOnLoop);
        return true;
    }

    /** The first frame, for which {@link #due} is set. */
    private @Nullable Sent head() {
        if (first == null) {
            Sent next = sent.poll();
            if (next != null) {
                long arrives = way.due(next.moment(), next.frame().length);
                due = arrives - opened > 0 ? arrives : opened;
            }
            first = next;
        }
        return first;
    }

    private boolean releaseOnLoop() {
        try {
            channel.eventLoop().execute(this::release);
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        }
    }

    private void release() {
        if (!channel.isActive()) {
            sent.clear(); // And it stays busy: nothing is written to it any more.
            return;
        }
        for (Sent next = head(); next != null && isDue(); next = head()) {
            first = null;
            writer.accept(next.frame());
        }
        channel.flush();
        if (first != null) {
            way.wake(due, releaseOnLoop);
            return;
        }
        busy.set(false);
        if (!sent.isEmpty() && busy.compareAndSet(false, true)) {
            awaitFirst();
        }
    }

    private boolean isDue() {
        long now = System.nanoTime();
        if (due - now > 0 || first == null) {
            return false;
        }
        long open = way.open(now);
        if (open - now > 0) {
            opened = open;
            due = open;
            return false;
        }
        way.left(first.moment(), due, now);
        return true;
    }
}
