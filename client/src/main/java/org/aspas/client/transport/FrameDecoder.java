package org.aspas.client.transport;

import io.netty.buffer.ByteBuf;
import java.net.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Cuts what comes on one connection into frames, however it is split, and tells of empty ones apart. Not thread-safe. */
final class FrameDecoder {
    private final int maxFrameBytes;
    private final Runnable empty;
    private int lengthBytesSeen;
    /** The part of the length field that was seen; 0 before it begins. */
    private int length;
    /** The frame whose length is known; null while the length field is incomplete. */
    private byte @Nullable [] frame;

    private int filled;

    /**
     * Awaits a first frame.
     *
     * @param maxFrameBytes the most bytes in a frame; from 1
     * @param empty is run for each empty frame
     */
    FrameDecoder(int maxFrameBytes, Runnable empty) {
        this.maxFrameBytes = maxFrameBytes;
        this.empty = empty;
    }

    /**
     * Takes bytes up to the end of the present frame.
     *
     * @return the frame, which is the caller's; null if it is not whole, and all bytes are taken
     * @throws ProtocolException for a frame that is too long, in words about what was sent; nothing may be taken after it
     */
    byte @Nullable [] next(ByteBuf from) throws ProtocolException {
        byte[] current = frame;
        while (current == null) {
            if (!takeLength(from)) {
                return null;
            }
            current = begin();
        }
        int part = Math.min(current.length - filled, from.readableBytes());
        from.readBytes(current, filled, part);
        filled += part;
        boolean whole = filled == current.length;
        frame = whole ? null : current;
        return whole ? current : null;
    }

    /** Takes bytes of the length field; returns whether it is complete now. */
    private boolean takeLength(ByteBuf from) {
        if (lengthBytesSeen == 0 && from.readableBytes() >= SocketConnection.LENGTH_BYTES) {
            length = from.readInt();
            return true;
        }
        while (lengthBytesSeen < SocketConnection.LENGTH_BYTES && from.isReadable()) {
            length = length << Byte.SIZE | from.readUnsignedByte();
            lengthBytesSeen++;
        }
        return lengthBytesSeen == SocketConnection.LENGTH_BYTES;
    }

    /** Room for the frame of which the length was taken; null if it is empty. */
    private byte @Nullable [] begin() throws ProtocolException {
        if (Integer.compareUnsigned(length, maxFrameBytes) > 0) {
            throw new ProtocolException("a frame of more than " + maxFrameBytes + " bytes");
        }
        byte[] room = length == 0 ? null : new byte[length];
        if (room == null) {
            empty.run();
        }
        lengthBytesSeen = 0;
        length = 0;
        filled = 0;
        return room;
    }
}
