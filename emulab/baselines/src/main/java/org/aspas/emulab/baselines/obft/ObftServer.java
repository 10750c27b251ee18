package org.aspas.emulab.baselines.obft;

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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.link.SharedLoops;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.emulab.baselines.obft.core.Effect;
import org.aspas.emulab.baselines.obft.core.Event;
import org.aspas.emulab.baselines.obft.core.ObftKeys;
import org.aspas.emulab.baselines.obft.core.ObftReplica;
import org.aspas.emulab.baselines.obft.core.ObftSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of OBFT, reconstructed, on real sockets of this machine. Its core has one thread; frames of replicas and
 * clients queue for it, and who has too many there is read no further. Thread-safe.
 */
final class ObftServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObftServer.class);
    private static final long TICK_MILLIS = 50;
    private static final int MOST_QUEUED = 1024;

    private final ObftReplica replica;
    private final ScheduledExecutorService core;
    private final SynchronisationMeter meter = new SynchronisationMeter(System.nanoTime());
    private final Map<NodeId, AtomicInteger> queued = new TreeMap<>();
    private final NodeLinks links;
    private final ClientListener listener;
    private final InetSocketAddress linkAddress;

    /**
     * Starts a replica, which has not found the others yet.
     *
     * @param delay delays what it sends to the others; null for no delay
     * @throws PortUnavailableException when no port can be had
     */
    ObftServer(ObftSettings settings, ObftKeys keys, @Nullable LinkDelay delay) throws PortUnavailableException {
        this.replica = new ObftReplica(settings, keys);
        this.core = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "obft-" + settings.self());
            thread.setDaemon(true);
            return thread;
        });
        Map<NodeId, PublicKey> peers = new TreeMap<>();
        for (int peer = 0; peer < settings.replicas(); peer++) {
            peers.put(NodeId.appserver(peer), keys.publicKeys().get(peer));
            queued.put(NodeId.appserver(peer), new AtomicInteger());
        }
        this.links = new NodeLinks(
                NodeId.appserver(settings.self()),
                TlsIdentity.of(keys.signingSeed()),
                peers,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                LinkLimits.defaults(),
                new Inbox(),
                delay);
        this.linkAddress = links.start();
        this.listener = new ClientListener(this::received);
        var unused =
                core.scheduleAtFixedRate(() -> step(new Event.Tick()), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    InetSocketAddress linkAddress() {
        return linkAddress;
    }

    InetSocketAddress clientAddress() {
        return listener.address();
    }

    /** Begins to dial another replica. */
    void connect(int peer, InetSocketAddress address) {
        links.connect(NodeId.appserver(peer), address);
    }

    boolean isConnected(int peer) {
        return links.isConnected(NodeId.appserver(peer));
    }

    SynchronisationMeter meter() {
        return meter;
    }

    /** What is asked of the core is asked on its thread. */
    interface Question<T> {
        T of(ObftReplica replica);
    }

    /** Asks the core; fails when the replica has ended. */
    <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            core.execute(() -> answer.complete(question.of(replica)));
        } catch (RejectedExecutionException ended) {
            answer.completeExceptionally(ended);
        }
        return answer;
    }

    void synchronise() {
        core.execute(() -> step(new Event.Synchronise()));
    }

    private CompletionStage<?> received(long connection, byte[] frame) {
        return ask(unused -> {
            step(new Event.ClientFrame(connection, frame));
            return true;
        });
    }

    private void step(Event event) {
        boolean done = false;
        try {
            stepped(event);
            done = true;
        } finally {
            if (!done) {
                LOG.error(
                        "{} has a bug: it cannot handle a {}",
                        linkAddress,
                        event.getClass().getSimpleName());
            }
        }
    }

    private void stepped(Event event) {
        long begun = System.nanoTime();
        for (Effect effect : replica.step(event)) {
            if (effect instanceof Effect.ToReplica to) {
                // What is lost here is sent again when the other replica says that it lacks it.
                links.send(NodeId.appserver(to.replica()), to.frame());
            } else if (effect instanceof Effect.ToClient to) {
                listener.send(to.connection(), to.frame());
            } else if (effect instanceof Effect.Entered entered) {
                meter.entered(entered.phase(), System.nanoTime());
            } else if (effect instanceof Effect.Synchronised over) {
                meter.ended(over);
            }
        }
        meter.worked(System.nanoTime() - begun);
    }

    /** Hands over what the links bring, on their I/O threads. */
    private final class Inbox implements LinkListener {
        @Override
        public void onConnected(NodeId peer) {
            // A replica says what it has from time to time, connected or not.
        }

        @Override
        public void onDisconnected(NodeId peer) {
            // As above.
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            AtomicInteger waiting = queued.get(peer);
            if (waiting == null) {
                return;
            }
            if (waiting.incrementAndGet() == MOST_QUEUED) {
                links.pause(peer);
            }
            var unused = ask(replica -> {
                step(new Event.ReplicaFrame(peer.index(), frame));
                if (waiting.decrementAndGet() == MOST_QUEUED / 2) {
                    links.resume(peer);
                }
                return true;
            });
        }
    }

    @Override
    public void close() {
        core.shutdownNow();
        links.close();
        listener.close();
    }

    /**
     * Where clients of one replica connect: binary sessions on Netty, as at an appserver (docs/formats.md §21), without its limits for
     * strangers. Thread-safe.
     */
    private static final class ClientListener {
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
        ClientListener(Inbox inbox) throws PortUnavailableException {
            this.inbox = inbox;
            this.loops = LOOPS.acquire();
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            ChannelFuture bound = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(QUEUED_BYTES / 2, QUEUED_BYTES))
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
}
