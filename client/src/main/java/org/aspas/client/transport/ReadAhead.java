package org.aspas.client.transport;

/**
 * What one connection has delivered and the listener has not consumed: fewer than 64 frames when the next one is delivered,
 * and fewer bytes than the largest frame may have. Thread-safe.
 */
final class ReadAhead {
    private static final int MOST_FRAMES = 64;

    private final int mostBytes;
    private int frames;
    private long bytes;
    private boolean waiting;

    /**
     * Nothing delivered.
     *
     * @param mostBytes from so many bytes on, no further frame is delivered; from 1
     */
    ReadAhead(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Whether the next frame may come now. If not, {@link #consumed} will say when. */
    synchronized boolean hasRoom() {
        waiting = !room();
        return !waiting;
    }

    synchronized void delivered(int length) {
        frames++;
        bytes += length;
    }

    /** A frame of this length is consumed. Returns whether the next one, which had to wait, may come now. */
    synchronized boolean consumed(int length) {
        frames--;
        bytes -= length;
        boolean resumed = waiting && room();
        waiting &= !resumed;
        return resumed;
    }

    private boolean room() {
        return frames < MOST_FRAMES && bytes < mostBytes;
    }
}
