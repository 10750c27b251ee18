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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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
}
