package org.aspas.bftcluster.link;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections and finds out who dials, on an event loop of its own: whatever strangers do there, the links that
 * are up run on other threads. A connection whose dialler is known moves to those, and takes no place here any more.
 * Before that it has one of a few, of which some are for the addresses of the deployment's nodes and as many for all others;
 * and who has sent nothing takes no place from those whose handshake has begun. Thread-safe.
 */
final class LinkAcceptor {
    private static final Logger LOG = LoggerFactory.getLogger(LinkAcceptor.class);

    private final NodeId self;
    private final Map<PublicKey, NodeId> peers;
    private final SSLContext tls;
    private final LinkLimits limits;
    private final LinkMeter meter;
    private final EventLoopGroup established;
    private final Receiver receiver;
    private final EventLoopGroup own;
    private final Set<InetAddress> nodeAddresses = ConcurrentHashMap.newKeySet();
    private final Places ofNodes;
    private final Places ofOthers;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private long reported;
    private volatile boolean closed;
    private volatile @Nullable Channel server;

    /** The places of connections from some addresses. */
    private record Places(ConnectionPlaces silent, ConnectionPlaces handshakes) {
        Places(int most) {
            this(new ConnectionPlaces(most), new ConnectionPlaces(most));
        }
    }

    /** Takes connections whose dialler is known. */
    interface Receiver {
        /**
         * A peer has proved who it is. The channel runs on an event loop of the established connections now, which calls
         * this, and reads nothing yet; handlers are added behind TLS.
         */
        void onAuthenticated(NodeId peer, SocketChannel channel);
    }

    /**
     * Nothing happens on the network before {@link #start}.
     *
     * @param tls accepts the keys of these peers only
     * @param established where connections go whose dialler is known
     */
    LinkAcceptor(
            NodeId self,
            Map<PublicKey, NodeId> peers,
            SSLContext tls,
            LinkLimits limits,
            LinkMeter meter,
            EventLoopGroup established,
            Receiver receiver) {
        this.self = self;
        this.peers = peers;
        this.tls = tls;
        this.limits = limits;
        this.meter = meter;
        this.established = established;
        this.receiver = receiver;
        this.own = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("accept-" + self, true), NioIoHandler.newFactory());
        this.ofNodes = new Places(limits.maxUnauthenticated());
        this.ofOthers = new Places(limits.maxUnauthenticated());
    }

    /**
     * Begins to accept.
     *
     * @return the address that is really bound
     * @throws PortUnavailableException when the address cannot be bound
     */
    InetSocketAddress start(InetSocketAddress listen) throws PortUnavailableException {
        ChannelFuture bound = new ServerBootstrap()
                .group(own)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(listen)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new PortUnavailableException(listen, bound.cause());
        }
        Channel channel = bound.channel();
        server = channel;
        own.scheduleAtFixedRate(this::report, 1, 1, TimeUnit.MINUTES);
        return (InetSocketAddress) channel.localAddress();
    }

    /** One line a minute, and only when there is something to say: what strangers do is logged one by one at DEBUG only. */
    private void report() {
        long rejected = meter.handshakesRejected.sum();
        long refused = meter.connectionsRefused.sum();
        if (rejected + refused != reported) {
            LOG.info(
                    "{}: {} more strangers at its link port; so far {} were rejected, and {} made room for others",
                    self,
                    rejected + refused - reported,
                    rejected,
                    refused);
            reported = rejected + refused;
        }
    }

    private void accept(SocketChannel channel) {
        if (closed) {
            channel.close();
            return;
        }
        open.add(channel);
        channel.closeFuture().addListener(done -> open.remove(channel));
        channel.pipeline().addLast(new UnauthenticatedConnection(this, channel));
    }

    /** From now on, connections from this address have the places of the nodes. A name that was not found has none. */
    void expectFrom(InetSocketAddress node) {
        InetAddress address = node.getAddress();
        if (address != null) {
            nodeAddresses.add(address);
        }
    }

    ConnectionPlaces.Place enterSilent(SocketChannel channel, Runnable giveWay) {
        return places(channel).silent().enter(address(channel), giveWay);
    }

    ConnectionPlaces.Place enterHandshake(SocketChannel channel, Runnable giveWay) {
        return places(channel).handshakes().enter(address(channel), giveWay);
    }

    private Places places(SocketChannel channel) {
        return address(channel).filter(nodeAddresses::contains).isPresent() ? ofNodes : ofOthers;
    }

    /** Where a connection comes from; empty when it is gone already. */
    private static Optional<InetAddress> address(SocketChannel channel) {
        return Optional.ofNullable(channel.remoteAddress()).map(InetSocketAddress::getAddress);
    }

    SslHandler newTlsHandler() {
        return FramePipeline.tls(tls, false, limits);
    }

    Optional<NodeId> nodeOf(PublicKey key) {
        return Optional.ofNullable(peers.get(key));
    }

    LinkLimits limits() {
        return limits;
    }

    LinkMeter meter() {
        return meter;
    }

    /**
     * Moves a connection to an event loop of the established ones.
     *
     * @param then runs there when the receiver has the connection
     */
    void handOver(NodeId peer, SocketChannel channel, Runnable then) {
        channel.deregister()
                .addListener(left -> established.next().register(channel).addListener(moved -> {
                    // A channel that cannot be registered is closed already.
                    if (moved.isSuccess() && closed) {
                        channel.close();
                    } else if (moved.isSuccess()) {
                        receiver.onAuthenticated(peer, channel);
                        then.run();
                    }
                }));
    }

    /** Ends the listening port and every connection that was accepted, and waits a few seconds at most. */
    void close() {
        closed = true;
        Channel listening = server;
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
        open.forEach(Channel::close);
        own.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    /**
     * An accepted connection until its dialler is known. TLS begins with its first bytes, so that a connection that says nothing
     * costs little. Whatever the other side does or leaves, the connection ends after the time of a handshake, and it ends at
     * once: TLS would first send its own end, and wait some seconds until that has left. Runs on the acceptor's event loop,
     * until {@link #replay}.
     */
    private static final class UnauthenticatedConnection extends ChannelInboundHandlerAdapter {
        private static final Logger LOG = LoggerFactory.getLogger(UnauthenticatedConnection.class);

        private enum State {
            /** It has sent nothing. */
            SILENT,
            /** TLS has begun. */
            HANDSHAKE,
            /** It is one of the nodes; what it sends is kept until the connection has moved. */
            AUTHENTICATED,
            /** It was rejected, has left, or made room for another one. */
            OVER
        }

        private final LinkAcceptor acceptor;
        private final SocketChannel channel;
        private final List<Object> early = new ArrayList<>();
        private final ScheduledFuture<?> deadline;
        private ConnectionPlaces.Place place;
        private State state = State.SILENT;

        /** Takes a place, which an older connection may have to leave. On the acceptor's event loop. */
        UnauthenticatedConnection(LinkAcceptor acceptor, SocketChannel channel) {
            this.acceptor = acceptor;
            this.channel = channel;
            this.place = acceptor.enterSilent(channel, this::giveWay);
            this.deadline = channel.eventLoop()
                    .schedule(
                            () -> reject("is too slow", null),
                            acceptor.limits().handshakeTimeoutMillis(),
                            TimeUnit.MILLISECONDS);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            switch (state) {
                case SILENT -> {
                    beginHandshake(ctx);
                    ctx.pipeline().fireChannelRead(message);
                }
                case AUTHENTICATED -> early.add(message);
                case HANDSHAKE, OVER -> ReferenceCountUtil.release(message);
            }
        }

        private void beginHandshake(ChannelHandlerContext ctx) {
            state = State.HANDSHAKE;
            place.leave();
            place = acceptor.enterHandshake(channel, this::giveWay);
            ctx.pipeline().addBefore(ctx.name(), null, acceptor.newTlsHandler());
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (state != State.HANDSHAKE || !(event instanceof SslHandshakeCompletionEvent handshake)) {
                return;
            }
            if (!handshake.isSuccess()) {
                reject("fails its handshake", handshake.cause());
                return;
            }
            Optional<NodeId> peer = TlsIdentity.peerKey(
                            ctx.pipeline().get(SslHandler.class).engine().getSession())
                    .flatMap(acceptor::nodeOf);
            if (peer.isEmpty()) {
                reject("has no key of the deployment", null);
                return;
            }
            finish(State.AUTHENTICATED);
            channel.config().setAutoRead(false);
            // Later, because TLS is in the middle of what it has read.
            ctx.executor().execute(() -> acceptor.handOver(peer.get(), channel, this::replay));
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            reject("leaves", null);
            early.forEach(ReferenceCountUtil::release);
            early.clear();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            reject("fails", cause);
            cut();
        }

        private void reject(String why, @Nullable Throwable cause) {
            if (state == State.AUTHENTICATED || state == State.OVER) {
                return;
            }
            finish(State.OVER);
            acceptor.meter().handshakesRejected.increment();
            LOG.debug("connection from {} {}", channel.remoteAddress(), why, cause);
            cut();
        }

        private void giveWay() {
            finish(State.OVER);
            acceptor.meter().connectionsRefused.increment();
            LOG.debug("connection from {} makes room for another one", channel.remoteAddress());
            cut();
        }

        private void finish(State end) {
            state = end;
            place.leave();
            deadline.cancel(false);
        }

        /** Closes the connection without passing through the TLS handler. */
        private void cut() {
            ChannelHandlerContext first = channel.pipeline().firstContext();
            if (first == null) {
                channel.close();
            } else {
                // What the first handler asks for passes no other handler.
                first.close();
            }
        }

        /** On the event loop to which the connection has moved: what came meanwhile is for the handlers behind this one. */
        private void replay() {
            ChannelHandlerContext ctx = channel.pipeline().context(this);
            if (ctx == null) {
                return;
            }
            early.forEach(ctx::fireChannelRead);
            early.clear();
            // Or what is answered to it would not be flushed before something more is read.
            ctx.fireChannelReadComplete();
            channel.pipeline().remove(this);
        }
    }
}
