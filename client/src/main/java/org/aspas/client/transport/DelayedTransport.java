package org.aspas.client.transport;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Adds a round-trip time to another transport: half of it in each direction, without loss and in order. For experiments
 * that emulate distance on one machine.
 */
public final class DelayedTransport implements Transport {
    private static final long USUAL_LATENESS_NANOS = 100_000;
    private static final long MOST_LATENESS_NANOS = 500_000;
    private static final long LATENESS_STEP_NANOS = 5_000;

    private final Transport inner;
    private final long halfNanos;
    private final ScheduledExecutorService scheduler;
    private final Executor executor;

    /**
     * A delayed transport.
     *
     * @param inner what carries the frames
     * @param roundTrip the time to add to each round trip; not negative
     * @param scheduler says when frames are due; may be shared
     * @param executor hands them on, to listeners too; may be shared
     */
    public DelayedTransport(
            Transport inner, Duration roundTrip, ScheduledExecutorService scheduler, Executor executor) {
        this.inner = inner;
        this.halfNanos = roundTrip.toNanos() / 2;
        this.scheduler = scheduler;
        this.executor = executor;
    }

    @Override
    public Connection connect(Listener listener) {
        Line towardsClient = new Line();
        Connection connection = inner.connect(new Listener() {
            @Override
            public void connected() {
                towardsClient.later(listener::connected);
            }

            @Override
            public void received(byte[] frame, Runnable consumed) {
                towardsClient.later(() -> listener.received(frame, consumed));
            }

            @Override
            public void closed(String reason) {
                towardsClient.later(() -> listener.closed(reason));
            }
        });
        Line towardsServer = new Line();
        return new Connection() {
            @Override
            public void send(byte[] frame) {
                towardsServer.later(() -> connection.send(frame));
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    private record Step(long dueNanos, Runnable what) {}

    /**
     * One direction. Every timer runs the oldest step, so that the order holds whichever timer fires first. Timers are late,
     * the more the busier the machine is: they are set earlier by what keeps as many of them late as early, and what is left
     * of the time is spun away.
     */
    private final class Line {
        private final ConcurrentLinkedQueue<Step> steps = new ConcurrentLinkedQueue<>();
        private final SerialExecutor inOrder = new SerialExecutor(executor);
        private volatile long lateness = Math.min(USUAL_LATENESS_NANOS, halfNanos);

        void later(Runnable what) {
            steps.add(new Step(System.nanoTime() + halfNanos, what));
            long wait = Math.max(0, halfNanos - lateness);
            var unused = scheduler.schedule(() -> inOrder.execute(this::oldest), wait, TimeUnit.NANOSECONDS);
        }

        private void oldest() {
            Step step = steps.poll();
            if (step == null) {
                throw new IllegalStateException("more timers than steps");
            }
            boolean late = System.nanoTime() - step.dueNanos() >= 0;
            long next = lateness + (late ? LATENESS_STEP_NANOS : -LATENESS_STEP_NANOS);
            lateness = Math.max(0, Math.min(next, MOST_LATENESS_NANOS));
            while (System.nanoTime() - step.dueNanos() < 0) {
                Thread.onSpinWait();
            }
            step.what().run();
        }
    }
}
