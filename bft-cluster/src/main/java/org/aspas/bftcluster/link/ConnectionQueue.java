package org.aspas.bftcluster.link;

import io.netty.channel.Channel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits to be sent on one connection. Frames leave in the order in which they were given, whichever threads gave
 * them: the channel alone would let one that its own event loop writes overtake those of other threads. Frames that wait
 * together are flushed together. Thread-safe.
 */
final class ConnectionQueue {
    private final Channel channel;
    private final long maxQueuedBytes;
    private final LinkMeter meter;
    private final Queue<byte[]> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong queuedBytes = new AtomicLong();

    ConnectionQueue(Channel channel, long maxQueuedBytes, LinkMeter meter) {
        this.channel = channel;
        this.maxQueuedBytes = maxQueuedBytes;
        this.meter = meter;
    }

    /** Takes a frame; false when too many bytes wait or the event loop has ended. */
    boolean send(byte[] frame) {
        long cost = cost(frame);
        if (queuedBytes.addAndGet(cost) > maxQueuedBytes + FramePipeline.LENGTH_BYTES) {
            queuedBytes.addAndGet(-cost);
            return false;
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
            byte[] sent = frame;
            FramePipeline.write(channel, sent).addListener(written -> {
                queuedBytes.addAndGet(-cost(sent));
                if (written.isSuccess()) {
                    meter.framesOut.increment();
                    meter.bytesOut.add(sent.length);
                }
            });
        }
        channel.flush();
    }

    private static long cost(byte[] frame) {
        return frame.length + (long) FramePipeline.LENGTH_BYTES;
    }
}
