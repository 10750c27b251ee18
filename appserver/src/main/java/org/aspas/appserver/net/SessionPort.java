package org.aspas.appserver.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.link.SharedLoops;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port of binary sessions: TCP, or TLS over it, on which client and server send frames behind their lengths (docs/formats.md, §21). All
 * servers of a process share the event loops. Thread-safe.
 */
public final class SessionPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionPort.class);
    private static final SharedLoops LOOPS = new SharedLoops("session");
    private static final int BACKLOG = 1024;
    private static final long CLOSE_MILLIS = 3_000;
    /** How long the end of a connection may wait for a client that reads nothing. */
    private static final long LAST_WORD_MILLIS = 1_000;

    private static final long IDLE_SECONDS = 60;
    /** What handshakes compute, on a thread of its own: whatever strangers begin, sessions do not wait for it. */
    private static final Executor HANDSHAKES = handshakes();

    private final EventLoopGroup loops;
    private final Conversations conversations;
    private final ConversationLimits limits;
    private final @Nullable Supplier<SSLEngine> tls;
    private final ConnectionPlaces strangers;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final Channel listening;
    private volatile boolean closed;

    /**
     * Binds the port and begins to serve.
     *
     * @param address where to listen; port 0 takes a free one
     * @param tls makes the server's end of a TLS connection; null for a port without TLS
     * @throws PortUnavailableException when the address cannot be bound
     */
    public SessionPort(InetSocketAddress address, Conversations conversations, @Nullable Supplier<SSLEngine> tls)
            throws PortUnavailableException {
        this.conversations = conversations;
        this.tls = tls;
        this.limits = conversations.limits();
        this.strangers = new ConnectionPlaces(limits.maxSessionless());
        this.loops = LOOPS.acquire();
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            LOOPS.release();
            throw new PortUnavailableException(address, bound.cause());
        }
        this.listening = bound.channel();
    }

    private void accept(SocketChannel channel) {
        InetSocketAddress remote = channel.remoteAddress();
        if (remote == null || closed || open.size() >= limits.maxConnections()) {
            channel.close();
            return;
        }
        open.add(channel);
        channel.closeFuture().addListener(done -> open.remove(channel));
        Supplier<SSLEngine> encryption = tls;
        if (encryption != null) {
            channel.pipeline().addLast(encrypted(encryption.get()));
        }
        // Its time runs from here on, and the handshake is in it.
        channel.pipeline()
                .addLast(new Preface(
                        strangers.enter(Optional.of(remote.getAddress()), () -> cut(channel)),
                        limits,
                        () -> SessionChannel.install(
                                channel,
                                conversations,
                                end -> strangers.enter(Optional.of(remote.getAddress()), end))));
    }

    /** Ends a connection at once, without the last word of TLS, for which a client that reads nothing would be waited for. */
    static void cut(Channel channel) {
        ChannelHandlerContext first = channel.pipeline().firstContext();
        if (first == null) {
            channel.close();
        } else {
            first.close();
        }
    }

    private SslHandler encrypted(SSLEngine engine) {
        SslHandler handler = new SslHandler(engine, HANDSHAKES);
        handler.setHandshakeTimeoutMillis(limits.frameTimeout().toMillis());
        handler.setCloseNotifyFlushTimeoutMillis(LAST_WORD_MILLIS);
        handler.handshakeFuture().addListener(done -> {
            if (!done.isSuccess()) {
                LOG.debug("a connection ends in its TLS handshake", done.cause());
                conversations.handshakeFailed();
            }
        });
        return handler;
    }

    private static Executor handshakes() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("session-handshakes", true));
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Stops listening, ends all connections, and waits a few seconds at most. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listening.close().awaitUninterruptibly(CLOSE_MILLIS);
        open.stream().map(Channel::close).toList().forEach(end -> end.awaitUninterruptibly(CLOSE_MILLIS));
        LOOPS.release();
    }

    /**
     * Waits for the first bytes of a connection, by which a client of this protocol shows itself. A connection that brings others,
     * or none in time, ends without a word, and the core never hears of it.
     */
    private static final class Preface extends ByteToMessageDecoder {
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
}
