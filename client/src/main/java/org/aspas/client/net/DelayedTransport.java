package org.aspas.client.net;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets the frames of another transport take their time, without loss and in order. For experiments that emulate distance on
 * one machine. The opening handshake is not delayed; the news that the connection is open, or closed, is, as a frame of the
 * server's would be. Thread-safe.
 */
public final class DelayedTransport implements Transport {
    private final Transport inner;
    private final TransportDelay delay;
    private final Executor executor;
    private final int maxQueuedFrames;

    /**
     * A delayed transport.
     *
     * @param executor calls listeners; may be shared
     * @param maxQueuedFrames how many frames may be on their way to the server before the connection is closed; from 1
     */
    public DelayedTransport(Transport inner, TransportDelay delay, Executor executor, int maxQueuedFrames) {
        this.inner = inner;
        this.delay = delay;
        this.executor = executor;
        this.maxQueuedFrames = maxQueuedFrames;
    }

    @Override
    public Connection connect(Listener listener) {
        Direction toClient = new Direction(delay.toClient(), inOrder());
        Connection connection = inner.connect(new Listener() {
            @Override
            public void connected() {
                toClient.add(0, listener::connected);
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                toClient.add(frame.length, () -> listener.received(frame, consumed));
            }

            @Override
            public void closed(String reason) {
                toClient.add(0, () -> listener.closed(reason));
            }
        });
        Direction toServer = new Direction(delay.toServer(), Runnable::run);
        return new Connection() {
            @Override
            public void send(byte[] frame) {
                if (toServer.add(frame.length, () -> connection.send(frame)) > maxQueuedFrames) {
                    connection.close();
                }
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    /** What has arrived waits for the client's threads, and does not hold up the ways of others. */
    private Executor inOrder() {
        SerialExecutor serial = new SerialExecutor(executor);
        return step -> {
            try {
                serial.execute(step);
            } catch (RejectedExecutionException closing) {
                // Whoever shares the executor ends, and all its clients with it.
            }
        };
    }

    private record Step(long sent, int bytes, Runnable what) {}

    /** What is on its way in one direction, in order. While there is anything, one timer waits for the first step. */
    private static final class Direction {
        private final TransportDelay.Way way;
        private final Executor taker;
        private final Runnable release = this::release;
        private final ConcurrentLinkedQueue<Step> steps = new ConcurrentLinkedQueue<>();
        private final AtomicInteger waiting = new AtomicInteger();
        /** Whoever sets it owns the fields below, and hands them on to the timer. */
        private final AtomicBoolean busy = new AtomicBoolean();

        private @Nullable Step first;
        private long due;
        private long opened = System.nanoTime();

        /** Begins with nothing on its way; {@code taker} runs the steps that are due, in order. */
        Direction(TransportDelay.Way way, Executor taker) {
            this.way = way;
            this.taker = taker;
        }

        /** Takes a step; returns how many are on their way now. */
        int add(int bytes, Runnable what) {
            steps.add(new Step(System.nanoTime(), bytes, what));
            int now = waiting.incrementAndGet();
            if (busy.compareAndSet(false, true)) {
                awaitFirst();
            }
            return now;
        }

        private void awaitFirst() {
            if (head() == null || due - System.nanoTime() <= 0) {
                release();
            } else {
                way.wake(due, release);
            }
        }

        /** The first step, for which {@link #due} is set. */
        private @Nullable Step head() {
            if (first == null) {
                Step next = steps.poll();
                if (next != null) {
                    long arrives = way.due(next.sent(), next.bytes());
                    due = arrives - opened > 0 ? arrives : opened;
                }
                first = next;
            }
            return first;
        }

        private void release() {
            for (Step next = head(); next != null && isDue(next); next = head()) {
                first = null;
                waiting.decrementAndGet();
                taker.execute(next.what());
            }
            if (first != null) {
                way.wake(due, release);
                return;
            }
            busy.set(false);
            if (!steps.isEmpty() && busy.compareAndSet(false, true)) {
                awaitFirst();
            }
        }

        private boolean isDue(Step next) {
            long now = System.nanoTime();
            if (due - now > 0) {
                return false;
            }
            long open = way.open(now);
            if (open - now > 0) {
                opened = open;
                due = open;
                return false;
            }
            way.left(next.sent(), due, now);
            return true;
        }
    }
}
