package org.aspas.bftcluster.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending end of one connection: waits for the welcome, then keeps the connection alive, however much is sent on it:
 * the other end sends nothing but answers to empty frames. Accepts no messages.
 */
final class DialledConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(DialledConnection.class);

    /** After this many silences in a row the other end is taken for gone. */
    static final int SILENCES = 3;

    private final Dialler dialler;
    private boolean welcomed;
    private int silences;

    DialledConnection(Dialler dialler) {
        this.dialler = dialler;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            LOG.debug("{} did not authenticate", dialler, handshake.cause());
            ctx.close();
        } else if (event instanceof IdleStateEvent) {
            onSilence(ctx);
        }
    }

    private void onSilence(ChannelHandlerContext ctx) {
        silences++;
        if (silences >= SILENCES) {
            ctx.close();
        } else if (welcomed && !dialler.isCut()) {
            FramePipeline.writeEmpty(ctx.channel());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
        silences = 0;
        if (message.isReadable()) {
            LOG.warn("{} sends where it should only receive", dialler);
            ctx.close();
        } else if (!welcomed) {
            welcomed = true;
            dialler.onWelcome(ctx.channel());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        dialler.onClosed(welcomed);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("connection to {} fails", dialler, cause);
        ctx.close();
    }
}
