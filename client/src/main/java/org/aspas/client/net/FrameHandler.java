package org.aspas.client.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one channel tells: delivers whole frames in order, and reads no further while too much is not consumed. What was read
 * but has no room yet waits here. Confined to the event loop, but for the consumption of frames.
 */
final class FrameHandler extends ChannelInboundHandlerAdapter {
    private static final long LOOK_SECONDS = 20;
    private static final long SILENT_SECONDS = 60;

    private final Channel channel;
    private final SocketConnection connection;
    private final Transport.Listener listener;
    private final FrameDecoder decoder;
    private final ReadAhead ahead;
    private final String server;
    private final boolean encrypted;
    private final Queue<ByteBuf> unread = new ArrayDeque<>(2);
    private boolean reading = true;
    private boolean heard;
    private long heardAt = System.nanoTime();
    private @Nullable Future<?> watch;

    /**
     * Nothing has come.
     *
     * @param server its address in words
     * @param encrypted whether a TLS handshake comes first, of which another handler tells
     */
    FrameHandler(
            Channel channel,
            SocketConnection connection,
            Transport.Listener listener,
            int maxFrameBytes,
            String server,
            boolean encrypted) {
        this.server = server;
        this.encrypted = encrypted;
        this.channel = channel;
        this.connection = connection;
        this.listener = listener;
        this.decoder = new FrameDecoder(maxFrameBytes, connection::stillHere);
        this.ahead = new ReadAhead(maxFrameBytes);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        heardAt = System.nanoTime();
        watch = ctx.executor().scheduleWithFixedDelay(this::watch, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
        if (!encrypted) {
            connection.opened(channel);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            Throwable failure = handshake.cause();
            if (failure == null) {
                connection.opened(channel);
            } else {
                connection.failed(server + ": " + TlsWords.ofHandshake(failure));
            }
        }
    }

    /** A server says something every few seconds, if only an empty frame. */
    private void watch() {
        if (!reading) {
            heardAt = System.nanoTime();
        } else if (System.nanoTime() - heardAt > TimeUnit.SECONDS.toNanos(SILENT_SECONDS)) {
            connection.failed("no word from the server for " + SILENT_SECONDS + " s: it is stopped, or cut off");
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (connection.isClosed()) {
            bytes.release();
            return;
        }
        heard = true;
        heardAt = System.nanoTime();
        unread.add(bytes);
        deliver();
    }

    /** Delivers the whole frames of what was read, as far as there is room for them. */
    private void deliver() {
        boolean room = ahead.hasRoom();
        while (room && !unread.isEmpty() && !connection.isClosed()) {
            byte[] frame;
            try {
                frame = decoder.next(unread.element());
            } catch (ProtocolException wrong) {
                connection.failed("the server sent " + wrong.getMessage());
                return;
            }
            if (!unread.element().isReadable()) {
                unread.remove().release();
            }
            if (frame != null) {
                deliver(frame);
                room = ahead.hasRoom();
            }
        }
        if (room != reading && !connection.isClosed()) {
            reading = room;
            channel.config().setAutoRead(room);
        }
    }

    private void deliver(byte[] frame) {
        int length = frame.length;
        ahead.delivered(length);
        listener.received(frame, () -> {
            if (ahead.consumed(length)) {
                connection.onLoop(this::deliver);
            }
        });
    }

    /** What the listener sent in answer is not held up by the other channels of the loop. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        connection.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            connection.schedule();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        connection.lost("the server closed the connection"
                + (heard || encrypted ? "" : " and said nothing: it has no room, or speaks TLS"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        connection.failed(SocketTransport.describe(cause));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        Future<?> running = watch;
        if (running != null) {
            running.cancel(false);
        }
        while (!unread.isEmpty()) {
            unread.remove().release();
        }
    }

    /** Cuts what comes on one connection into frames, however it is split, and tells of empty ones apart. Not thread-safe. */
    private static final class FrameDecoder {
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

    /**
     * What one connection has delivered and the listener has not consumed: fewer than 64 frames when the next one is delivered,
     * and fewer bytes than the largest frame may have. Thread-safe.
     */
    private static final class ReadAhead {
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
}
