package org.aspas.appserver.socket;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aspas.appserver.conversation.ConversationLimits;
import org.aspas.appserver.conversation.Conversations;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.link.SharedLoops;

/**
 * The port of binary sessions: TCP, on which client and server send frames behind their lengths (docs/formats.md, §12). All
 * servers of a process share the event loops. Thread-safe.
 */
public final class SessionPort implements AutoCloseable {
    private static final SharedLoops LOOPS = new SharedLoops("session");
    private static final int BACKLOG = 1024;
    private static final long CLOSE_MILLIS = 3_000;

    private final EventLoopGroup loops;
    private final Conversations conversations;
    private final ConversationLimits limits;
    private final ConnectionPlaces strangers;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final Channel listening;
    private volatile boolean closed;

    /**
     * Binds the port and begins to serve.
     *
     * @param address where to listen; port 0 takes a free one
     * @param conversations what connections become
     * @throws PortUnavailableException when the address cannot be bound
     */
    public SessionPort(InetSocketAddress address, Conversations conversations) throws PortUnavailableException {
        this.conversations = conversations;
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
        channel.pipeline()
                .addLast(new Preface(
                        strangers.enter(Optional.of(remote.getAddress()), channel::close),
                        limits,
                        () -> SessionChannel.install(
                                channel,
                                conversations,
                                end -> strangers.enter(Optional.of(remote.getAddress()), end))));
    }

    /** Where it listens. */
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
}
