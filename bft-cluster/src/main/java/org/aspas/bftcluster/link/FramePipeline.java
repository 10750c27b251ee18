package org.aspas.bftcluster.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.aspas.certify.identity.TlsIdentity;

/** The handlers that dialled and accepted connections share: TLS, idleness, and lengths. */
final class FramePipeline {
    /** The bytes of a frame's length field. */
    static final int LENGTH_BYTES = 4;

    private FramePipeline() {}

    static SslHandler tls(SSLContext tls, boolean dialler, LinkLimits limits) {
        SSLEngine engine = tls.createSSLEngine();
        engine.setUseClientMode(dialler);
        engine.setEnabledProtocols(new String[] {TlsIdentity.PROTOCOL});
        if (!dialler) {
            engine.setNeedClientAuth(true);
        }
        SslHandler handler = new SslHandler(engine);
        handler.setHandshakeTimeoutMillis(limits.handshakeTimeoutMillis());
        return handler;
    }

    /** Installs the handlers behind TLS. */
    static void install(Channel channel, boolean dialler, LinkLimits limits, ChannelHandler last) {
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast(new FlushConsolidationHandler(64, true));
        long silence = dialler ? limits.idleMillis() : (long) DialledConnection.SILENCES * limits.idleMillis();
        pipeline.addLast(new IdleStateHandler(silence, 0, 0, TimeUnit.MILLISECONDS));
        // The decoder counts the length field too.
        pipeline.addLast(new LengthFieldBasedFrameDecoder(
                limits.maxFrameBytes() + LENGTH_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES, true));
        if (!dialler) {
            // Of what was read already, a connection that is paused keeps the frames back.
            pipeline.addLast(new FlowControlHandler());
        }
        pipeline.addLast(last);
    }

    /** Writes a frame that is not empty, without flushing. */
    static ChannelFuture write(Channel channel, byte[] frame) {
        return channel.write(Unpooled.wrappedBuffer(length(channel, frame.length), Unpooled.wrappedBuffer(frame)));
    }

    static void writeEmpty(Channel channel) {
        channel.writeAndFlush(length(channel, 0));
    }

    private static ByteBuf length(Channel channel, int length) {
        return channel.alloc().buffer(LENGTH_BYTES).writeInt(length);
    }

    /** Whether a failure says that the peer's framing is wrong (too long, or a negative length), and not that TLS is. */
    static boolean isFramingFailure(Throwable cause) {
        return cause instanceof DecoderException && cause.getCause() == null;
    }
}
