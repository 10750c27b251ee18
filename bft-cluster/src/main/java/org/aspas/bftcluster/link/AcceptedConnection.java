package org.aspas.bftcluster.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The receiving end of one connection: authenticates the dialler, welcomes it, and passes its frames on. */
final class AcceptedConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptedConnection.class);

    private final Map<PublicKey, NodeId> peers;
    private final Receiver receiver;
    private final LinkMeter meter;
    private final @Nullable LinkDelay delay;
    private @Nullable NodeId peer;
    private boolean oversized;

    /** The node that owns the connection. */
    interface Receiver {
        /** A peer has proved who it is on this connection. */
        void onAuthenticated(NodeId peer, ChannelHandlerContext connection);

        void onFrame(NodeId peer, byte[] frame);
    }

    AcceptedConnection(Map<PublicKey, NodeId> peers, Receiver receiver, LinkMeter meter, @Nullable LinkDelay delay) {
        this.peers = peers;
        this.receiver = receiver;
        this.meter = meter;
        this.delay = delay;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            onHandshake(ctx, handshake);
        } else if (event instanceof IdleStateEvent && ctx.channel().config().isAutoRead()) {
            ctx.close();
        }
    }

    private void onHandshake(ChannelHandlerContext ctx, SslHandshakeCompletionEvent handshake) {
        Optional<NodeId> who = handshake.isSuccess()
                ? TlsIdentity.peerKey(
                                ctx.pipeline().get(SslHandler.class).engine().getSession())
                        .map(peers::get)
                : Optional.empty();
        if (who.isEmpty()) {
            meter.handshakesRejected.increment();
            LOG.debug("connection from {} rejected", ctx.channel().remoteAddress(), handshake.cause());
            ctx.close();
            return;
        }
        peer = who.get();
        receiver.onAuthenticated(who.get(), ctx);
        FramePipeline.writeEmpty(ctx.channel());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
        NodeId from = peer;
        if (from == null) {
            throw new IllegalStateException("a frame before the handshake of " + ctx.channel());
        }
        if (!message.isReadable()) {
            if (delay == null || !Dialler.isCut(delay.to(from))) {
                FramePipeline.writeEmpty(ctx.channel());
            }
            return;
        }
        byte[] frame = ByteBufUtil.getBytes(message);
        meter.framesIn.increment();
        meter.bytesIn.add(frame.length);
        receiver.onFrame(from, frame);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (peer != null && FramePipeline.isFramingFailure(cause) && !oversized) {
            oversized = true;
            meter.oversizedFrames.increment();
            LOG.warn("{} announced a frame that is too large: {}", peer, cause.getMessage());
        } else {
            LOG.debug("connection from {} ({}) fails", ctx.channel().remoteAddress(), peer, cause);
        }
        ctx.close();
    }
}
