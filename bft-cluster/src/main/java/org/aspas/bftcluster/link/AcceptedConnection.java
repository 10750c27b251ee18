package org.aspas.bftcluster.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.IdleStateEvent;
import org.aspas.certify.identity.NodeId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The receiving end of one connection whose dialler is known: answers its empty frames, and passes its frames on. */
final class AcceptedConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptedConnection.class);

    private final NodeId peer;
    private final Receiver receiver;
    private final LinkMeter meter;
    private final @Nullable LinkDelay delay;
    private boolean oversized;

    interface Receiver {
        /** A frame of the peer that is not empty. */
        void onFrame(NodeId peer, byte[] frame);
    }

    AcceptedConnection(NodeId peer, Receiver receiver, LinkMeter meter, @Nullable LinkDelay delay) {
        this.peer = peer;
        this.receiver = receiver;
        this.meter = meter;
        this.delay = delay;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent && ctx.channel().config().isAutoRead()) {
            ctx.close();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
        if (!message.isReadable()) {
            if (delay == null || !Dialler.isCut(delay.to(peer))) {
                FramePipeline.writeEmpty(ctx.channel());
            }
            return;
        }
        byte[] frame = ByteBufUtil.getBytes(message);
        meter.framesIn.increment();
        meter.bytesIn.add(frame.length);
        receiver.onFrame(peer, frame);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (FramePipeline.isFramingFailure(cause) && !oversized) {
            oversized = true;
            meter.oversizedFrames.increment();
            LOG.warn("{} announced a frame that is too large: {}", peer, cause.getMessage());
        } else {
            LOG.debug("connection from {} ({}) fails", ctx.channel().remoteAddress(), peer, cause);
        }
        ctx.close();
    }
}
