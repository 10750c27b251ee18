package org.aspas.bftcluster.isolation;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Whole frames on their way to the local library, bounded in bytes. Thread-safe. */
final class FrameQueue {
    private final long maxBytes;
    private final Deque<byte[]> frames = new ArrayDeque<>();
    private long bytes;
    private boolean closed;

    FrameQueue(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes a frame; false when it is closed or has no room. */
    synchronized boolean offer(byte[] frame) {
        if (closed || bytes + frame.length > maxBytes) {
            return false;
        }
        frames.add(frame);
        bytes += frame.length;
        notifyAll();
        return true;
    }

    /** Waits for a frame; null when it is closed. */
    synchronized byte @Nullable [] take() throws InterruptedException {
        while (frames.isEmpty() && !closed) {
            wait();
        }
        if (closed) {
            return null;
        }
        byte[] next = frames.remove();
        bytes -= next.length;
        return next;
    }

    synchronized void close() {
        closed = true;
        frames.clear();
        bytes = 0;
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }
}
