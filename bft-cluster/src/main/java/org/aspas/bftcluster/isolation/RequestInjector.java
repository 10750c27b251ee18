package org.aspas.bftcluster.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.aspas.bftcluster.engine.ReplicaEngine;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the local library the requests that it is to order, one thread all of them, and tells it which to wait for. Every
 * request is in the {@link RequestPool} first. Thread-safe.
 */
final class RequestInjector implements LeaderSuspicion.LocalRequests, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestInjector.class);
    /** Twice this long a request waits for a leader that is absent from the beginning. */
    private static final long ABSENT_LEADER_MILLIS = 500;

    private final int self;
    private final ReplicaEngine engine;
    private final RequestPool pool;
    private final StartBarrier barrier;
    private final IsolationMeter meter;
    private final Executor background;
    private final ThreadPoolExecutor injecting;
    private final ScheduledExecutorService timer;
    /** Used on the injecting thread only. */
    private final RequestGroup group;
    /** Used on the injecting thread only. */
    private boolean begun;
    /** Whether the replica began with a state that others had already. */
    private volatile boolean joined;

    /**
     * Makes an injector; nothing reaches the library before the barrier opens.
     *
     * @param grouping which requests wait for each other, no longer than a {@link RequestGroup} lets them, by {@code usualNanos}
     * @param background runs what may wait for the library's locks
     */
    RequestInjector(
            int self,
            ReplicaEngine engine,
            RequestPool pool,
            StartBarrier barrier,
            IsolationMeter meter,
            Grouping grouping,
            LongSupplier usualNanos,
            Executor background) {
        this.self = self;
        this.engine = engine;
        this.pool = pool;
        this.barrier = barrier;
        this.meter = meter;
        this.background = background;
        this.injecting = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(pool.capacity()),
                task -> IsolatedReplica.daemon(task, "replica-" + self + "-requests"));
        this.timer = Executors.newSingleThreadScheduledExecutor(
                task -> IsolatedReplica.daemon(task, "replica-" + self + "-groups"));
        this.group = new RequestGroup(grouping, usualNanos, System::nanoTime, this::after, engine.requests()::together);
    }

    /** The replica takes part; what it was given before may be in the state that it began with. */
    void onReady() {
        joined = engine.instance() >= 0;
        if (joined) {
            pool.forget();
        }
    }

    /** Takes a request of this bftserver; false when there was no room, which leaves a gap in its session. */
    boolean own(byte[] request) {
        pool.given(self, RequestCheck.id(request), request, System.nanoTime());
        return inject(request, false);
    }

    /** Takes a request that another bftserver gave; whether it is one that waits from now on. */
    boolean given(int owner, RequestId id, byte[] request) {
        PeerRequests.Fate fate = pool.given(owner, id, request, System.nanoTime());
        switch (fate) {
            case TAKEN -> {
                meter.requestsIn.increment();
                inject(request, false);
            }
            case OUT_OF_TURN, WAITING -> meter.requestsOutOfTurn.increment();
            case NO_ROOM -> meter.requestsRefused.increment();
        }
        return fate == PeerRequests.Fate.TAKEN;
    }

    @Override
    public byte @Nullable [] waiting(RequestId id) {
        return pool.waiting(id);
    }

    @Override
    public void order(byte[] request) {
        if (pool.passedOn(request, System.nanoTime())) {
            inject(request, true);
        }
    }

    @Override
    public void suspend(byte[] request) {
        LOG.info(
                "replica {} alone has a request of {}, and does not doubt its leader for it",
                self,
                RequestCheck.owner(RequestCheck.id(request).client()));
        inBackground(() -> engine.requests().suspend(request));
    }

    @Override
    public void resume(byte[] request) {
        inBackground(() -> {
            // What was forgotten meanwhile nobody orders any more.
            if (pool.waiting(RequestCheck.id(request)) != null) {
                engine.requests().watch(request);
            }
        });
    }

    private void inBackground(Runnable task) {
        try {
            background.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.debug("replica {} closes", self);
        }
    }

    void executed(RequestId id) {
        pool.executed(id, System.nanoTime());
    }

    /** Has the library forget what has waited too long. */
    void expire(long nanos) {
        pool.expire(nanos).forEach(engine.requests()::forget);
    }

    /**
     * Gives a request to the replica once that takes part. What came before a replica joined a cluster that had ordered
     * something is left out: it may be ordered already, and the replica would wait for it for ever and doubt the leader.
     */
    private boolean inject(byte[] request, boolean anew) {
        boolean early = !engine.isReady();
        try {
            injecting.execute(() -> {
                if (barrier.await() && !(early && joined)) {
                    doubtAbsentLeader();
                    group.add(RequestCheck.command(request), () -> give(request, anew));
                }
            });
            return true;
        } catch (RejectedExecutionException full) {
            if (!injecting.isShutdown()) {
                meter.requestsDiscarded.increment();
            }
            return false;
        }
    }

    /** Where there is no room for the task there are requests enough, which end the wait. */
    private void after(long nanos, Runnable task) {
        try {
            timer.schedule(() -> injecting.execute(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("replica {} closes", self);
        }
    }

    private void give(byte[] request, boolean anew) {
        if (!(anew ? engine.requests().injectAnew(request) : engine.requests().inject(request))) {
            LOG.debug("replica {} takes no requests yet", self);
        }
    }

    /** At the start of a cluster whose first leader is not there, it is not waited for as long as for one that was. */
    private void doubtAbsentLeader() {
        if (!begun) {
            begun = true;
            if (engine.instance() < 0 && engine.leader() != self && barrier.isAbsent(engine.leader())) {
                LOG.info("replica {} begins without having heard of leader {}", self, engine.leader());
                engine.requests().shortenTimeout(ABSENT_LEADER_MILLIS);
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        injecting.shutdownNow();
    }

    /**
     * Requests on their way to the local library that wait for others, as a {@link Grouping} says, and no longer than one and a half
     * times what an order usually takes, or twice that where the wait begins anew. They stay in their order, also with those that
     * need not wait. For one thread.
     */
    static final class RequestGroup {
        /** The longest wait, of the usual time of an order: words take two ways, or one whole order, and some wait for them all of it. */
        private static final long PERCENT = 150;

        private static final long WHOLE = 100;

        static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        private final Grouping grouping;
        private final LongSupplier usualNanos;
        private final LongSupplier nanoTime;
        private final Timer timer;
        private final Consumer<Runnable> together;
        private final List<Runnable> waiting = new ArrayList<>();
        private long deadline;
        /** Whether the wait of this group began anew, which it does once: whoever lies cannot hold the others for ever. */
        private boolean anew;
        /** Counts waits: the time of one that has ended, or began anew, means nothing. */
        private long waits;

        /** Runs tasks later, on the thread of the group. */
        @FunctionalInterface
        interface Timer {
            /** Runs a task after so many nanoseconds, or never where there is no room for it. */
            void after(long nanos, Runnable task);
        }

        /**
         * Makes a group without requests.
         *
         * @param usualNanos how long an order usually takes
         * @param timer ends a wait; where it does not, the next request does
         * @param together runs what gives the library several requests, so that it begins none of them before it has all
         */
        RequestGroup(
                Grouping grouping,
                LongSupplier usualNanos,
                LongSupplier nanoTime,
                Timer timer,
                Consumer<Runnable> together) {
            this.grouping = grouping;
            this.usualNanos = usualNanos;
            this.nanoTime = nanoTime;
            this.timer = timer;
            this.together = together;
        }

        /** A request with this command goes to the library, at once or in a moment. */
        void add(byte[] command, Runnable give) {
            boolean first = waiting.isEmpty();
            waiting.add(give);
            Grouping.Next next = grouping.next(command, !first);
            if (next == Grouping.Next.GO) {
                flush();
            } else if (first || (next == Grouping.Next.WAIT_ANEW && !anew)) {
                anew = !first;
                begin();
            } else if (nanoTime.getAsLong() - deadline >= 0) {
                late();
            }
        }

        private void begin() {
            long patience = Math.min(LONGEST_NANOS, usualNanos.getAsLong() * PERCENT / WHOLE);
            long wait = ++waits;
            deadline = nanoTime.getAsLong() + patience;
            timer.after(patience, () -> {
                if (wait == waits) {
                    late();
                }
            });
        }

        private void late() {
            grouping.late();
            flush();
        }

        private void flush() {
            waits++;
            List<Runnable> all = List.copyOf(waiting);
            waiting.clear();
            together.accept(() -> all.forEach(Runnable::run));
        }
    }
}
