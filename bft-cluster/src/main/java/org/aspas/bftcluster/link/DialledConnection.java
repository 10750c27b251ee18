package org.aspas.bftcluster.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sending end of one connection: waits for the welcome, then keeps the connection alive. Accepts no messages. */
final class DialledConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(DialledConnection.class);

    private final Dialler dialler;
    private boolean welcomed;

    DialledConnection(Dialler dialler) {
        this.dialler = dialler;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            LOG.debug("{} did not authenticate", dialler, handshake.cause());
            ctx.close();
        } else if (event instanceof IdleStateEvent idle) {
            if (idle.state() == IdleState.WRITER_IDLE && welcomed) {
                FramePipeline.writeEmpty(ctx.channel());
            } else if (idle.state() == IdleState.READER_IDLE) {
                ctx.close();
            }
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
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
