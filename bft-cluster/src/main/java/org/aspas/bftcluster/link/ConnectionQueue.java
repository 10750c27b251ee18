package org.aspas.bftcluster.link;

import io.netty.channel.Channel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent on one connection. Frames leave in the order in which they were given, whichever threads gave
 * them: the channel alone would let one that its own event loop writes overtake those of other threads. Frames that wait
 * together are flushed together. Frames that are delayed count as waiting. Thread-safe.
 */
final class ConnectionQueue {
    private final Channel channel;
    private final long maxQueuedBytes;
    private final LinkMeter meter;
    private final Queue<byte[]> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final @Nullable DelayedFrames delayed;

    /** Makes an empty queue; {@code way} delays its frames, null for no delay. */
    ConnectionQueue(Channel channel, long maxQueuedBytes, LinkMeter meter, LinkDelay.@Nullable Way way) {
        this.channel = channel;
        this.maxQueuedBytes = maxQueuedBytes;
        this.meter = meter;
        this.delayed = way == null ? null : new DelayedFrames(channel, way, this::write);
    }

    /** Takes a frame; false when too many bytes wait or the event loop has ended. */
    boolean send(byte[] frame) {
        long cost = cost(frame);
        if (queuedBytes.addAndGet(cost) > maxQueuedBytes + FramePipeline.LENGTH_BYTES) {
            queuedBytes.addAndGet(-cost);
            return false;
        }
        if (delayed != null) {
            return delayed.add(frame);
        }
        waiting.add(frame);
        return scheduled.get() || !scheduled.compareAndSet(false, true) || schedule();
    }

    private boolean schedule() {
        try {
            channel.eventLoop().execute(this::drain);
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        }
    }

    private void drain() {
        scheduled.set(false);
        for (byte[] frame = waiting.poll(); frame != null; frame = waiting.poll()) {
            write(frame);
        }
        channel.flush();
    }

    private void write(byte[] frame) {
        FramePipeline.write(channel, frame).addListener(written -> {
            queuedBytes.addAndGet(-cost(frame));
            if (written.isSuccess()) {
                meter.framesOut.increment();
                meter.bytesOut.add(frame.length);
            }
        });
    }

    private static long cost(byte[] frame) {
        return frame.length + (long) FramePipeline.LENGTH_BYTES;
    }
}
