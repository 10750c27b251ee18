package org.aspas.emulab.rivals.obft;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.link.SharedLoops;

/**
 * Where clients of one replica connect: binary sessions on Netty, as at an appserver (docs/formats.md §21), without its limits for
 * strangers. Thread-safe.
 */
final class ObftDoor {
    private static final SharedLoops LOOPS = new SharedLoops("obft-session");
    private static final int PREFACE_BYTES = 8;
    private static final int LENGTH_BYTES = 4;
    private static final int CLIENT_FRAME_BYTES = 1 << 20;
    private static final int QUEUED_BYTES = 4 << 20;
    private static final int FLUSH_AT_ONCE_AFTER = 64;
    private static final int QUIET_SECONDS = 15;
    private static final long CLOSE_MILLIS = 3_000;

    /** Takes what clients send. */
    interface Inbox {
        /** A frame came; done when the next one of this connection may come. */
        CompletionStage<?> received(long connection, byte[] frame);
    }

    private final Inbox inbox;
    private final EventLoopGroup loops;
    private final Channel listening;
    private final AtomicLong connections = new AtomicLong();
    private final Map<Long, SocketChannel> open = new ConcurrentHashMap<>();

    /**
     * Binds a free port of the loopback interface.
     *
     * @throws PortUnavailableException when there is none
     */
    ObftDoor(Inbox inbox) throws PortUnavailableException {
        this.inbox = inbox;
        this.loops = LOOPS.acquire();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(QUEUED_BYTES / 2, QUEUED_BYTES))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(any)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            LOOPS.release();
            throw new PortUnavailableException(any, bound.cause());
        }
        this.listening = bound.channel();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    private void accept(SocketChannel channel) {
        long connection = connections.incrementAndGet();
        open.put(connection, channel);
        channel.closeFuture().addListener(done -> open.remove(connection));
        channel.pipeline()
                .addLast(new FlushConsolidationHandler(FLUSH_AT_ONCE_AFTER, true))
                .addLast(new IdleStateHandler(0, QUIET_SECONDS, 0))
                .addLast(new PrefaceSkip())
                .addLast(new LengthFieldBasedFrameDecoder(CLIENT_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES))
                // Of what was read already, a connection that is paused keeps the frames back.
                .addLast(new FlowControlHandler())
                .addLast(new ClientFrames(channel, connection));
    }

    /** Drops the first bytes, by which a client says what it speaks. Not shared. */
    private static final class PrefaceSkip extends ChannelInboundHandlerAdapter {
        private int left = PREFACE_BYTES;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            int drop = Math.min(left, bytes.readableBytes());
            bytes.skipBytes(drop);
            left -= drop;
            context.fireChannelRead(bytes);
            if (left == 0) {
                context.pipeline().remove(this);
            }
        }
    }

    /** One client's frames, one at a time. Not shared. */
    private final class ClientFrames extends ChannelInboundHandlerAdapter {
        private final SocketChannel channel;
        private final long connection;

        ClientFrames(SocketChannel channel, long connection) {
            this.channel = channel;
            this.connection = connection;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] frame = new byte[bytes.readableBytes()];
            bytes.readBytes(frame).release();
            if (frame.length == 0) {
                return;
            }
            CompletionStage<?> done = inbox.received(connection, frame);
            if (!done.toCompletableFuture().isDone()) {
                channel.config().setAutoRead(false);
                done.whenComplete((end, failure) ->
                        channel.eventLoop().execute(() -> channel.config().setAutoRead(true)));
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof IdleStateEvent) {
                context.writeAndFlush(context.alloc().ioBuffer(LENGTH_BYTES).writeInt(0));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** Sends a frame to a client, if its connection is still there; one that reads too slowly is cut. */
    void send(long connection, byte[] frame) {
        SocketChannel channel = open.get(connection);
        if (channel == null) {
            return;
        }
        if (!channel.isWritable()) {
            channel.close();
            return;
        }
        ByteBuf bytes = channel.alloc().ioBuffer(LENGTH_BYTES + frame.length);
        channel.writeAndFlush(bytes.writeInt(frame.length).writeBytes(frame), channel.voidPromise());
    }

    /** Closes the port and every connection; waits a few seconds at most. */
    void close() {
        listening.close().awaitUninterruptibly(CLOSE_MILLIS);
        open.values().stream().map(Channel::close).toList().forEach(end -> end.awaitUninterruptibly(CLOSE_MILLIS));
        LOOPS.release();
    }
}
