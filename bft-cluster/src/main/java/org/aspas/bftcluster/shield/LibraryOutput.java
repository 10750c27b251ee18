package org.aspas.bftcluster.shield;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Cuts what the local library writes on one connection into frames: first the greeting, which must be the expected one to
 * the byte, then frames. A frame that is too long is left out. Not thread-safe.
 */
final class LibraryOutput {
    private static final int LENGTH_BYTES = 4;
    private static final int CODE_BYTES = 16;

    private final byte[] greeting;
    private final int maxFrameBytes;
    private final Runnable greeted;
    private final Consumer<byte[]> frames;
    private final LongConsumer tooLong;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private int greetingSeen;
    /** The length of the frame being read; 0 while its length field is incomplete. */
    private long frameBytes;

    private long seen;

    /**
     * Cuts what begins with a greeting.
     *
     * @param greeted told of the greeting's end
     * @param frames told of each frame
     * @param tooLong told of the length of each frame that is left out
     */
    LibraryOutput(byte[] greeting, int maxFrameBytes, Runnable greeted, Consumer<byte[]> frames, LongConsumer tooLong) {
        this.greeting = greeting.clone();
        this.maxFrameBytes = maxFrameBytes;
        this.greeted = greeted;
        this.frames = frames;
        this.tooLong = tooLong;
    }

    /** Takes bytes; false when they are not what this library says, and the connection must end. */
    boolean feed(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        if (greetingSeen < greeting.length) {
            int part = Math.min(greeting.length - greetingSeen, length);
            if (!Arrays.equals(greeting, greetingSeen, greetingSeen + part, bytes, offset, offset + part)) {
                return false;
            }
            greetingSeen += part;
            at += part;
            if (greetingSeen == greeting.length) {
                greeted.run();
            }
        }
        while (at < end) {
            int taken = frameBytes == 0 ? length(bytes, at, end) : body(bytes, at, end);
            if (taken < 0) {
                return false;
            }
            at += taken;
        }
        return true;
    }

    boolean isGreeted() {
        return greetingSeen == greeting.length;
    }

    private int length(byte[] bytes, int at, int end) {
        int part = Math.min(LENGTH_BYTES - pending.size(), end - at);
        pending.write(bytes, at, part);
        if (pending.size() == LENGTH_BYTES) {
            int length = java.nio.ByteBuffer.wrap(pending.toByteArray()).getInt();
            if (length < 0) {
                return -1;
            }
            seen = LENGTH_BYTES;
            // A frame always has its code: the library is set up to send one with every message.
            frameBytes = (long) LENGTH_BYTES + length + 1 + CODE_BYTES;
        }
        return part;
    }

    private int body(byte[] bytes, int at, int end) {
        int part = (int) Math.min(frameBytes - seen, end - at);
        boolean keep = frameBytes <= maxFrameBytes;
        if (keep) {
            pending.write(bytes, at, part);
        }
        seen += part;
        if (seen == frameBytes) {
            if (keep) {
                frames.accept(pending.toByteArray());
            } else {
                tooLong.accept(frameBytes);
            }
            pending.reset();
            frameBytes = 0;
        }
        return part;
    }
}
