package org.aspas.bftcluster.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All links of one node. It listens for its peers, and dials those that it is told to; it sends on the connections that
 * it dialled and receives on the ones that it accepted. Thread-safe.
 */
public final class NodeLinks implements AutoCloseable {
    private static final SharedLoops LOOPS = new SharedLoops("link");
    private static final long CLOSE_MILLIS = 3_000;

    private final NodeId self;
    private final TlsIdentity identity;
    private final Map<NodeId, PublicKey> peers;
    private final Map<PublicKey, NodeId> peerOfKey;
    private final InetSocketAddress listen;
    private final LinkLimits limits;
    private final LinkListener listener;
    private final @Nullable LinkDelay delay;
    private final LinkMeter meter = new LinkMeter();
    private final EventLoopGroup loops;
    private final Map<NodeId, Dialler> diallers = new ConcurrentHashMap<>();
    private final Map<NodeId, Channel> accepted = new ConcurrentHashMap<>();
    private final Set<NodeId> paused = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile @Nullable LinkAcceptor acceptor;

    /**
     * Makes the links of a node; nothing happens on the network before {@link #start} or {@link #connect}.
     *
     * @param peers every node that may connect or be connected to, with its key; this node itself may be among them
     * @param listen where to accept connections; port 0 takes a free one
     * @throws IllegalArgumentException when two peers have one key
     */
    public NodeLinks(
            NodeId self,
            TlsIdentity identity,
            Map<NodeId, PublicKey> peers,
            InetSocketAddress listen,
            LinkLimits limits,
            LinkListener listener) {
        this(self, identity, peers, listen, limits, listener, null);
    }

    /**
     * As the other constructor does, with frames that take their time.
     *
     * @param delay delays the frames that this node sends; null for none
     */
    public NodeLinks(
            NodeId self,
            TlsIdentity identity,
            Map<NodeId, PublicKey> peers,
            InetSocketAddress listen,
            LinkLimits limits,
            LinkListener listener,
            @Nullable LinkDelay delay) {
        this.self = self;
        this.identity = identity;
        this.peers = Map.copyOf(peers);
        this.peerOfKey = byKey(peers);
        this.listen = listen;
        this.limits = limits;
        this.listener = listener;
        this.delay = delay;
        this.loops = LOOPS.acquire();
    }

    private static Map<PublicKey, NodeId> byKey(Map<NodeId, PublicKey> peers) {
        Map<PublicKey, NodeId> result = new HashMap<>();
        peers.forEach((node, key) -> {
            NodeId other = result.put(key, node);
            if (other != null) {
                throw new IllegalArgumentException(node + " and " + other + " have the same key");
            }
        });
        return Map.copyOf(result);
    }

    /**
     * Begins to accept connections.
     *
     * @return the address that is really bound
     * @throws PortUnavailableException when the address cannot be bound
     */
    public InetSocketAddress start() throws PortUnavailableException {
        if (acceptor != null || closed) {
            throw new IllegalStateException("the links of " + self + " are already started or closed");
        }
        SSLContext tls = identity.contextFor(new HashSet<>(peers.values()));
        LinkAcceptor made = new LinkAcceptor(self, peerOfKey, tls, limits, meter, loops, new Inbox());
        acceptor = made;
        diallers.values().forEach(dialler -> made.expectFrom(dialler.address()));
        return made.start(listen);
    }

    /** Passes on what accepted connections bring; a peer's newest connection replaces its older one. */
    private final class Inbox implements LinkAcceptor.Receiver, AcceptedConnection.Receiver {
        @Override
        public void onAuthenticated(NodeId peer, SocketChannel channel) {
            FramePipeline.install(channel, false, limits, new AcceptedConnection(peer, this, meter, delay));
            Channel older = accepted.put(peer, channel);
            if (older != null) {
                older.close();
            }
            channel.closeFuture().addListener(done -> accepted.remove(peer, channel));
            FramePipeline.writeEmpty(channel);
            applyPause(peer, channel);
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            if (!closed) {
                listener.onFrame(peer, frame);
            }
        }
    }

    /**
     * Begins to dial a peer, and keeps dialling until {@link #close}. A second call for the same peer only changes the
     * address of later attempts. Connections from the peer's address have the places that are kept for nodes.
     *
     * @throws IllegalArgumentException when the peer is not one of those given at construction
     */
    public void connect(NodeId peer, InetSocketAddress address) {
        PublicKey key = peers.get(peer);
        if (key == null) {
            throw new IllegalArgumentException(peer + " is not a peer of " + self);
        }
        if (closed) {
            throw new IllegalStateException("the links of " + self + " are closed");
        }
        Dialler known = diallers.get(peer);
        if (known == null) {
            dial(peer, key, address);
        } else {
            known.redirect(address);
        }
        LinkAcceptor accepting = acceptor;
        if (accepting != null) {
            accepting.expectFrom(address);
        }
    }

    private void dial(NodeId peer, PublicKey key, InetSocketAddress address) {
        Dialler dialler = new Dialler(
                peer, address, identity.contextFor(Set.of(key)), limits, listener, meter, loops.next(), delay);
        if (diallers.putIfAbsent(peer, dialler) == null) {
            dialler.start();
        }
    }

    /**
     * Sends a frame without waiting.
     *
     * @param frame 1 to {@link LinkLimits#maxFrameBytes()} bytes; must not be changed afterwards
     * @return whether the frame was taken; false when the peer is not connected or too many bytes wait for it. A frame
     *     that was taken can still be lost with its connection
     * @throws IllegalArgumentException when the frame is empty or too large
     */
    public boolean send(NodeId peer, byte[] frame) {
        if (frame.length == 0 || frame.length > limits.maxFrameBytes()) {
            throw new IllegalArgumentException(
                    "a frame has 1.." + limits.maxFrameBytes() + " bytes, not " + frame.length);
        }
        Dialler dialler = diallers.get(peer);
        boolean taken = dialler != null && dialler.send(frame);
        if (!taken) {
            meter.sendsRefused.increment();
        }
        return taken;
    }

    /**
     * Stops taking frames of a peer, on this and every later connection of its, until {@link #resume}; TCP holds the peer
     * back meanwhile, and no other peer notices. When the listener's {@code onFrame} calls it, no more frame of that peer
     * comes; on other threads, those that are under way may still come.
     */
    public void pause(NodeId peer) {
        paused.add(peer);
        Channel channel = accepted.get(peer);
        if (channel != null && channel.eventLoop().inEventLoop()) {
            applyPause(peer, channel);
        } else if (channel != null) {
            channel.eventLoop().execute(() -> applyPause(peer, channel));
        }
    }

    /** Takes frames of a peer again, from the one after the last. */
    public void resume(NodeId peer) {
        paused.remove(peer);
        Channel channel = accepted.get(peer);
        if (channel != null && !closed) {
            // Never at once: the listener may call it while it is given a frame.
            channel.eventLoop().execute(() -> applyPause(peer, channel));
        }
    }

    /** On the channel's event loop, so that the last word counts. */
    private void applyPause(NodeId peer, Channel channel) {
        channel.config().setAutoRead(!paused.contains(peer));
    }

    /** Whether frames can be sent to the peer now. */
    public boolean isConnected(NodeId peer) {
        Dialler dialler = diallers.get(peer);
        return dialler != null && dialler.isReady();
    }

    public LinkCounters counters() {
        return meter.read();
    }

    /** Closes every connection and the listening port, and waits a few seconds at most for them. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<Future<?>> closing = new ArrayList<>();
        diallers.values().forEach(dialler -> closing.add(dialler.close()));
        LinkAcceptor accepting = acceptor;
        if (accepting != null) {
            accepting.close();
        }
        accepted.values().forEach(channel -> closing.add(channel.close()));
        closing.forEach(connection -> connection.awaitUninterruptibly(CLOSE_MILLIS));
        LOOPS.release();
    }

    /** The receiving end of one connection whose dialler is known: answers its empty frames, and passes its frames on. */
    private static final class AcceptedConnection extends SimpleChannelInboundHandler<ByteBuf> {
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
}
