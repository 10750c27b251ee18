package org.aspas.client.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Frames as a binary session over TCP, or over TLS where the server is to show a certificate. The client begins with the 8 bytes of {@link SocketConnection#PREFACE}. Each
 * direction is a sequence of frames then: a length of 4 bytes, big-endian and unsigned, and that many bytes. Length 0 keeps
 * the connection alive and says nothing else: such frames are answered by another and not delivered. A connection on which the
 * server sends nothing for a minute ends.
 *
 * <p>Many transports should share their event loops. All calls to the listener of one connection come from one event loop,
 * even the one that follows {@link Transport.Connection#close}. Only when the loops have ended may the calling thread report
 * the end.
 *
 * <p>The connection counts as open once TCP is up, and TLS where it is wanted; a server that is stopped but still takes connections is found out by
 * its silence. Thread-safe.
 */
public final class SocketTransport implements Transport {
    private final EventLoopGroup loops;
    private final InetSocketAddress address;
    private final int connectTimeoutMillis;
    private final int maxFrameBytes;
    private final int maxQueuedFrames;
    private final @Nullable ServerTrust trust;

    /**
     * A transport to one address, without TLS.
     *
     * @param loops carry the connections, on NIO; shared, and not ended by this transport
     * @param address where the server listens. Its name is resolved anew for each connection, on the event loop of that
     *     connection: a slow resolver holds up the others of that loop
     * @param connectTimeout how long TCP may take to connect once the name is resolved; taken for at least a millisecond
     * @param maxFrameBytes larger frames from the server close the connection; from 1. So many bytes may be set aside when a
     *     frame is announced
     * @param maxQueuedFrames how many frames may wait to be sent before the connection is closed; from 1
     */
    public SocketTransport(
            EventLoopGroup loops,
            InetSocketAddress address,
            Duration connectTimeout,
            int maxFrameBytes,
            int maxQueuedFrames) {
        this(loops, address, connectTimeout, maxFrameBytes, maxQueuedFrames, null);
    }

    /**
     * A transport to one address.
     *
     * @param connectTimeout the same, and the time of a TLS handshake after that
     * @param trust whose certificates are good, and may be of the name in the address alone; null for no TLS
     */
    public SocketTransport(
            EventLoopGroup loops,
            InetSocketAddress address,
            Duration connectTimeout,
            int maxFrameBytes,
            int maxQueuedFrames,
            @Nullable ServerTrust trust) {
        this.trust = trust;
        this.loops = loops;
        this.address = InetSocketAddress.createUnresolved(address.getHostString(), address.getPort());
        this.connectTimeoutMillis = (int) Math.max(1, Math.min(connectTimeout.toMillis(), Integer.MAX_VALUE));
        this.maxFrameBytes = maxFrameBytes;
        this.maxQueuedFrames = maxQueuedFrames;
    }

    @Override
    public Connection connect(Listener listener) {
        EventLoop loop = loops.next();
        SocketConnection connection = new SocketConnection(loop, listener, maxQueuedFrames);
        // From the calling thread, the bootstrap would sometimes resolve the name before it returns.
        connection.onLoop(() -> dial(loop, connection, listener));
        return connection;
    }

    private void dial(EventLoop loop, SocketConnection connection, Listener listener) {
        if (connection.isClosed()) {
            return;
        }
        SslHandler encryption;
        try {
            encryption = trust == null ? null : encrypted(trust);
        } catch (IllegalStateException unusable) {
            connection.failed(name() + ": " + unusable.getMessage());
            return;
        }
        var unused = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connection.dialled(channel);
                        if (encryption != null) {
                            channel.pipeline().addLast(encryption);
                        }
                        channel.pipeline()
                                .addLast(new FrameHandler(
                                        channel, connection, listener, maxFrameBytes, name(), encryption != null));
                    }
                })
                .connect(address)
                .addListener(attempt -> {
                    Throwable failure = attempt.cause();
                    if (failure != null) {
                        connection.failed(name() + ": " + describe(failure));
                    }
                });
    }

    private SslHandler encrypted(ServerTrust trusted) {
        SslHandler handler = new SslHandler(trusted.engine(address.getHostString(), address.getPort()));
        handler.setHandshakeTimeoutMillis(connectTimeoutMillis);
        return handler;
    }

    private String name() {
        String host = address.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** The failure in words where it is a usual one. */
    static String describe(Throwable failure) {
        if (failure instanceof ConnectTimeoutException) {
            return "no connection in time: its host is down or cut off";
        } else if (failure instanceof UnknownHostException) {
            return "unknown host";
        } else if (failure instanceof NoRouteToHostException) {
            return "no route to its host";
        }
        return WebSocketConnection.describe(failure);
    }
}
