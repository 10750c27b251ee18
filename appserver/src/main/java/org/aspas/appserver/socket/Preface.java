package org.aspas.appserver.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.conversation.ConversationLimits;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the first bytes of a connection, by which a client of this protocol shows itself. A connection that brings others,
 * or none in time, ends without a word, and the core never hears of it.
 */
final class Preface extends ByteToMessageDecoder {
    private static final byte[] BYTES = "ASPAS/1\n".getBytes(StandardCharsets.US_ASCII);

    private final ConnectionPlaces.Place place;
    private final ConversationLimits limits;
    private final Runnable then;
    private @Nullable Future<?> deadline;

    /** {@code then} puts the handlers of a session behind this one. */
    Preface(ConnectionPlaces.Place place, ConversationLimits limits, Runnable then) {
        this.place = place;
        this.limits = limits;
        this.then = then;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        deadline = context.executor()
                .schedule(() -> context.close(), limits.frameTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int come = Math.min(in.readableBytes(), BYTES.length);
        for (int i = 0; i < come; i++) {
            if (in.getByte(in.readerIndex() + i) != BYTES[i]) {
                in.skipBytes(in.readableBytes());
                context.close();
                return;
            }
        }
        if (come == BYTES.length) {
            in.skipBytes(BYTES.length);
            place.leave(); // As a conversation it takes another place.
            then.run();
            context.pipeline().remove(this); // Which hands on what came behind it.
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        Future<?> waiting = deadline;
        if (waiting != null) {
            waiting.cancel(false);
        }
        place.leave();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
