package org.aspas.bftcluster.proxy;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.bftcluster.engine.OrderingUnavailable;
import org.aspas.certify.identity.Quorums;
import org.jspecify.annotations.Nullable;

/**
 * Has commands ordered by the cluster. Commands are pipelined: many may be on their way at once. One session at a time
 * takes new commands; it is replaced by a fresh one, with a fresh client id, when a command of it has timed out or when
 * more replicas can be reached than it reaches. A command may be ordered although its stage fails, so every command must
 * be harmless when it is ordered twice. Thread-safe.
 */
public final class OrderingProxy implements AutoCloseable {
    private static final int FIRST_CLIENT_ID = 1 << 24;
    private static final int HOUSEKEEPING_MILLIS = 100;

    private final List<InetSocketAddress> replicas;
    private final int enough;
    private final ProxyOptions options;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile boolean closed;

    // Used on the event loop only.
    private final Deque<ProxiedCommand> waiting = new ArrayDeque<>();
    private final List<ProxySession> draining = new ArrayList<>();
    private @Nullable ProxySession current;
    private @Nullable ProxySession candidate;
    private boolean suspect;
    private long lastProbeNanos;

    /**
     * Begins to connect to the replicas.
     *
     * @param replicas the request address of each replica, by index
     * @param quorums says how many equal answers are enough: b+1
     */
    public OrderingProxy(List<InetSocketAddress> replicas, Quorums quorums, ProxyOptions options) {
        if (replicas.size() != quorums.bftservers()) {
            throw new IllegalArgumentException(replicas.size() + " addresses do not fit n = " + quorums.bftservers());
        }
        this.replicas = List.copyOf(replicas);
        this.enough = quorums.oneCorrectBftserver();
        this.options = options;
        this.group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("ordering-proxy", true), NioIoHandler.newFactory());
        this.loop = group.next();
        loop.execute(this::probe);
        var unused = loop.scheduleWithFixedDelay(
                this::housekeeping, HOUSEKEEPING_MILLIS, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Submits a command.
     *
     * @param command at most {@link ProxyOptions#maxMessageBytes()} bytes; must not be changed afterwards
     * @return the answer that b+1 replicas gave; fails with {@link OrderingUnavailable} when too many commands wait, at
     *     the timeout, or when the proxy is closed. Dependent stages run on the proxy's thread and must not block
     * @throws IllegalArgumentException when the command is too large
     */
    public CompletionStage<byte[]> submit(byte[] command) {
        if (command.length > options.maxMessageBytes()) {
            throw new IllegalArgumentException(
                    "a command has at most " + options.maxMessageBytes() + " bytes, not " + command.length);
        }
        if (closed) {
            return refused("the ordering proxy is closed");
        }
        if (pending.incrementAndGet() > options.maxPending()) {
            pending.decrementAndGet();
            return refused("more than " + options.maxPending() + " commands wait for the cluster");
        }
        ProxiedCommand submission =
                new ProxiedCommand(command, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.timeoutMillis()));
        CompletableFuture<byte[]> result = submission.result();
        CompletionStage<byte[]> answer = result.whenComplete((value, failure) -> pending.decrementAndGet());
        loop.execute(() -> take(submission));
        return answer;
    }

    private static CompletionStage<byte[]> refused(String why) {
        return CompletableFuture.failedStage(new OrderingUnavailable(why));
    }

    private void take(ProxiedCommand submission) {
        ProxySession session = current;
        if (closed) {
            submission.fail("the ordering proxy is closed");
        } else if (session == null || session.reached() < enough) {
            waiting.add(submission);
        } else {
            session.submit(submission);
        }
    }

    /** Opens a session to see how many replicas answer. */
    private void probe() {
        if (candidate != null || closed) {
            return;
        }
        lastProbeNanos = System.nanoTime();
        int client = FIRST_CLIENT_ID + random.nextInt(Integer.MAX_VALUE - FIRST_CLIENT_ID);
        candidate = new ProxySession(
                client, random.nextInt(), replicas, enough, options.maxMessageBytes(), loop, this::onSettled);
    }

    private void onSettled(ProxySession session) {
        candidate = null;
        ProxySession old = current;
        boolean better = old == null || session.reached() > old.reached() || (suspect && session.reached() >= enough);
        if (closed || !better) {
            session.close();
            return;
        }
        if (old != null) {
            draining.add(old);
        }
        current = session;
        suspect = false;
        while (session.reached() >= enough && !waiting.isEmpty()) {
            session.submit(waiting.remove());
        }
    }

    private void housekeeping() {
        long now = System.nanoTime();
        waiting.removeIf(submission -> submission.expire(now));
        ProxySession session = current;
        if (session != null) {
            suspect |= session.expire(now);
        }
        draining.removeIf(old -> {
            old.expire(now);
            if (old.isIdle()) {
                old.close();
            }
            return old.isIdle();
        });
        boolean incomplete = session == null || session.reached() < replicas.size() || suspect;
        if (incomplete && now - lastProbeNanos >= TimeUnit.MILLISECONDS.toNanos(options.probeMillis())) {
            probe();
        }
    }

    /** Fails what is pending, closes all connections, and waits a few seconds at most for the thread to end. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        loop.execute(() -> {
            waiting.forEach(submission -> submission.fail("the ordering proxy is closed"));
            waiting.clear();
            draining.forEach(ProxySession::close);
            if (current != null) {
                current.close();
            }
            if (candidate != null) {
                candidate.close();
            }
        });
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
