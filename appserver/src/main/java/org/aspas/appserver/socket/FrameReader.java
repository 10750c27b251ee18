package org.aspas.appserver.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads frames behind their lengths: four bytes, big-endian. Of a frame that has begun, the rest has to come in time. */
final class FrameReader extends ByteToMessageDecoder {
    private static final int LENGTH_BYTES = 4;

    private final int maxFrameBytes;
    private final long timeoutNanos;
    private boolean begun;
    private boolean watched;
    private long since;

    FrameReader(int maxFrameBytes, long timeoutNanos) {
        this.maxFrameBytes = maxFrameBytes;
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        begun = false;
        if (in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        long length = in.getUnsignedInt(in.readerIndex());
        if (length > maxFrameBytes) {
            in.skipBytes(in.readableBytes());
            throw new TooLongFrameException("a frame of " + length + " bytes");
        }
        if (in.readableBytes() - LENGTH_BYTES >= length) {
            in.skipBytes(LENGTH_BYTES);
            byte[] frame = new byte[(int) length];
            in.readBytes(frame);
            out.add(frame);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        if (actualReadableBytes() == 0) {
            begun = false;
        } else if (!begun) {
            begun = true;
            since = System.nanoTime();
            watch(context, timeoutNanos);
        }
        super.channelReadComplete(context);
    }

    private void watch(ChannelHandlerContext context, long nanos) {
        if (!watched) {
            watched = true;
            context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void look(ChannelHandlerContext context) {
        watched = false;
        if (!begun || context.isRemoved()) {
            return;
        }
        if (!context.channel().config().isAutoRead()) {
            since = System.nanoTime(); // It is not read just now.
        }
        long left = since + timeoutNanos - System.nanoTime();
        if (left > 0) {
            watch(context, left);
        } else {
            context.fireExceptionCaught(new TimeoutException("a frame that did not arrive whole in time"));
        }
    }
}
