package org.aspas.bftcluster.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.identity.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to one peer: dials, and after every failure dials again after a pause that doubles up to a bound,
 * with jitter, for ever. All connection events run on one event loop; {@link #send} may be called from any thread.
 */
final class Dialler {
    private final NodeId peer;
    private final SSLContext tls;
    private final LinkLimits limits;
    private final LinkListener listener;
    private final LinkMeter meter;
    private final EventLoop loop;
    private final @Nullable LinkDelay delay;
    private volatile InetSocketAddress address;
    private volatile @Nullable ConnectionQueue ready;
    private volatile boolean closed;
    private Backoff backoff;
    private @Nullable Channel current;

    Dialler(
            NodeId peer,
            InetSocketAddress address,
            SSLContext tls,
            LinkLimits limits,
            LinkListener listener,
            LinkMeter meter,
            EventLoop loop,
            @Nullable LinkDelay delay) {
        this.peer = peer;
        this.address = address;
        this.tls = tls;
        this.limits = limits;
        this.backoff = Backoff.of(limits.minRetryMillis(), limits.maxRetryMillis());
        this.listener = listener;
        this.meter = meter;
        this.loop = loop;
        this.delay = delay;
    }

    void start() {
        loop.execute(this::dial);
    }

    /** From the next attempt on, dials there. */
    void redirect(InetSocketAddress newAddress) {
        address = newAddress;
    }

    InetSocketAddress address() {
        return address;
    }

    boolean isReady() {
        return ready != null;
    }

    boolean send(byte[] frame) {
        ConnectionQueue outbox = ready;
        return outbox != null && outbox.send(frame);
    }

    /** Whether the peer cannot be reached now, by the delay that this node was given. */
    boolean isCut() {
        return delay != null && isCut(delay.to(peer));
    }

    static boolean isCut(LinkDelay.Way way) {
        long now = System.nanoTime();
        return way.open(now) - now > 0;
    }

    private void dial() {
        if (closed) {
            return;
        }
        if (isCut()) {
            onClosed(false);
            return;
        }
        InetSocketAddress target = address;
        // A name is resolved anew at every attempt.
        InetSocketAddress fresh = new InetSocketAddress(target.getHostString(), target.getPort());
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, limits.handshakeTimeoutMillis())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WriteBufferWaterMark.DEFAULT)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(FramePipeline.tls(tls, true, limits));
                        FramePipeline.install(channel, true, limits, new DialledConnection(Dialler.this));
                    }
                })
                .connect(fresh);
        current = attempt.channel();
        attempt.addListener(connected -> {
            if (!connected.isSuccess()) {
                onClosed(false);
            }
        });
    }

    /** The peer has accepted this node. */
    void onWelcome(Channel channel) {
        backoff = backoff.reset();
        ready = new ConnectionQueue(channel, limits.maxQueuedBytes(), meter, delay == null ? null : delay.to(peer));
        listener.onConnected(peer);
    }

    /** A connection or an attempt is over. */
    void onClosed(boolean wasReady) {
        current = null;
        ready = null;
        if (wasReady) {
            listener.onDisconnected(peer);
        } else if (!closed) {
            meter.dialsFailed.increment();
        }
        if (!closed) {
            loop.schedule(this::dial, pauseMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private long pauseMillis() {
        long ceiling = backoff.pause();
        backoff = backoff.next();
        return ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1);
    }

    /** Ends; what is given is done when the connection is closed. */
    Future<?> close() {
        closed = true;
        Promise<Void> done = loop.newPromise();
        loop.execute(() -> {
            Channel channel = current;
            if (channel == null) {
                done.setSuccess(null);
            } else {
                channel.close().addListener(any -> done.setSuccess(null));
            }
        });
        return done;
    }

    @Override
    public String toString() {
        return peer + " at " + address.getHostString() + ":" + address.getPort();
    }

    /**
     * What waits to be sent on one connection. Frames leave in the order in which they were given, whichever threads gave
     * them: the channel alone would let one that its own event loop writes overtake those of other threads. Frames that wait
     * together are flushed together. Frames that are delayed count as waiting. Thread-safe.
     */
    private static final class ConnectionQueue {
        private final Channel channel;
        private final long maxQueuedBytes;
        private final LinkMeter meter;
        private final Queue<byte[]> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean scheduled = new AtomicBoolean();
        private final AtomicLong queuedBytes = new AtomicLong();
        private final @Nullable DelayedFrames delayed;

        /** Makes an empty queue; {@code way} delays its frames, null for no delay. */
        ConnectionQueue(Channel channel, long maxQueuedBytes, LinkMeter meter, LinkDelay.@Nullable Way way) {
            this.channel = channel;
            this.maxQueuedBytes = maxQueuedBytes;
            this.meter = meter;
            this.delayed = way == null ? null : new DelayedFrames(channel, way, this::write);
        }

        /** Takes a frame; false when too many bytes wait or the event loop has ended. */
        boolean send(byte[] frame) {
            long cost = cost(frame);
            if (queuedBytes.addAndGet(cost) > maxQueuedBytes + FramePipeline.LENGTH_BYTES) {
                queuedBytes.addAndGet(-cost);
                return false;
            }
            if (delayed != null) {
                return delayed.add(frame);
            }
            waiting.add(frame);
            return scheduled.get() || !scheduled.compareAndSet(false, true) || schedule();
        }

        private boolean schedule() {
            try {
                channel.eventLoop().execute(this::drain);
                return true;
            } catch (RejectedExecutionException closing) {
                return false;
            }
        }

        private void drain() {
            scheduled.set(false);
            for (byte[] frame = waiting.poll(); frame != null; frame = waiting.poll()) {
                write(frame);
            }
            channel.flush();
        }

        private void write(byte[] frame) {
            FramePipeline.write(channel, frame).addListener(written -> {
                queuedBytes.addAndGet(-cost(frame));
                if (written.isSuccess()) {
                    meter.framesOut.increment();
                    meter.bytesOut.add(frame.length);
                }
            });
        }

        private static long cost(byte[] frame) {
            return frame.length + (long) FramePipeline.LENGTH_BYTES;
        }
    }
}
