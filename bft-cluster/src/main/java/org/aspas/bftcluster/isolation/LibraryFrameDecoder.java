package org.aspas.bftcluster.isolation;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Cuts what the local library writes on one connection into frames: first the handshake, which must be the expected one to
 * the byte, then frames. A frame that is too long is left out. Not thread-safe.
 */
final class LibraryFrameDecoder {
    private static final int LENGTH_BYTES = 4;
    private static final int CODE_BYTES = 16;

    private final byte[] handshake;
    private final int maxFrameBytes;
    private final Runnable introduced;
    private final LibraryOutputHandler handler;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private int handshakeSeen;
    /** The length of the frame being read; 0 while its length field is incomplete. */
    private long frameBytes;

    private long seen;

    /**
     * Cuts what begins with a handshake.
     *
     * @param introduced told of the handshake's end
     * @param handler told of what follows
     */
    LibraryFrameDecoder(byte[] handshake, int maxFrameBytes, Runnable introduced, LibraryOutputHandler handler) {
        this.handshake = handshake.clone();
        this.maxFrameBytes = maxFrameBytes;
        this.introduced = introduced;
        this.handler = handler;
    }

    /** Takes bytes; false when they are not what this library says, and the connection must end. */
    boolean feed(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        if (handshakeSeen < handshake.length) {
            int part = Math.min(handshake.length - handshakeSeen, length);
            if (!Arrays.equals(handshake, handshakeSeen, handshakeSeen + part, bytes, offset, offset + part)) {
                return false;
            }
            handshakeSeen += part;
            at += part;
            if (handshakeSeen == handshake.length) {
                introduced.run();
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

    boolean isIntroduced() {
        return handshakeSeen == handshake.length;
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
                handler.onFrame(pending.toByteArray());
            } else {
                handler.onTooLong(frameBytes);
            }
            pending.reset();
            frameBytes = 0;
        }
        return part;
    }
}
