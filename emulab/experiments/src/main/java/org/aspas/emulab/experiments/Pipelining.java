package org.aspas.emulab.experiments;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.api.Counter;
import org.aspas.client.core.Policy;
import org.aspas.emulab.baselines.AspasSystem;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.workload.StoreSession;

/**
 * Pipelining as a treatment: the same clients, while one more client of the first appserver has many updates open at once.
 *
 * @param roundTrip what is added to its way, as to that of the others
 */
record Pipelining(int open, Duration roundTrip) implements Comparison.Treatment {
    @Override
    public Subject subject() {
        return new Subject("pipelining", String.valueOf(open), "pipelined_updates");
    }

    @Override
    public String title() {
        return "what one more client that has " + open + " updates open at once costs the others";
    }

    @Override
    public Policy policy(boolean on) {
        return Policy.STAY;
    }

    @Override
    public Comparison.Running begin(AspasSystem system) {
        Pipeline pipeline = Pipeline.begin(system.cluster(), open, roundTrip);
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return pipeline.answered();
            }

            @Override
            public void close() {
                pipeline.close();
            }
        };
    }

    /**
     * One client of the first appserver that always has so many updates unanswered: with each answer it makes the next one. It has
     * threads of its own, so that the other clients of this process wait for it at the servers alone, and for the processors.
     */
    private static final class Pipeline implements AutoCloseable {
        private static final int UNCONFIRMED = 1_000_000;
        private static final long READY_SECONDS = 30;
        private static final long END_SECONDS = 30;

        private final ClientResources resources = ClientResources.create(1);
        private final AtomicLong answered = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final Semaphore ended;
        private final int open;
        private final AspasClient client;
        private final Counter counter;
        private volatile boolean over;

        private Pipeline(Cluster cluster, int open, Duration roundTrip) {
            this.open = open;
            this.ended = new Semaphore(0);
            this.client = cluster.client(
                    0,
                    ClientOptions.defaults()
                            .withResources(resources)
                            .withRoundTrip(roundTrip)
                            .withPolicy(Policy.STAY)
                            .withBounds(UNCONFIRMED, open, open, 1));
            this.counter = client.counter("counter/pipelined");
        }

        /**
         * Connects, and begins.
         *
         * @param open how many updates it has unanswered, from 1
         */
        static Pipeline begin(Cluster cluster, int open, Duration roundTrip) {
            Pipeline pipeline = new Pipeline(cluster, open, roundTrip);
            pipeline.client
                    .ready()
                    .toCompletableFuture()
                    .orTimeout(READY_SECONDS, TimeUnit.SECONDS)
                    .join();
            for (int i = 0; i < open; i++) {
                pipeline.next();
            }
            return pipeline;
        }

        private void next() {
            if (over) {
                ended.release();
                return;
            }
            counter.increment(1).answered().whenComplete((answer, failure) -> {
                (failure == null ? answered : failed).incrementAndGet();
                if (failure == null) {
                    next();
                } else {
                    ended.release();
                }
            });
        }

        long answered() {
            return answered.get();
        }

        /**
         * Makes no more updates, waits until all are answered, and ends.
         *
         * @throws IllegalStateException when one failed, or is not answered in time
         */
        @Override
        public void close() {
            over = true;
            boolean all = false;
            try {
                all = ended.tryAcquire(open, END_SECONDS, TimeUnit.SECONDS);
                client.closeAsync().toCompletableFuture().get(END_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException unended) {
                all = false;
            } finally {
                resources.close();
            }
            if (!all || failed.get() > 0) {
                throw new IllegalStateException("of the pipelined updates " + failed.get() + " failed"
                        + (all ? "" : ", and not all were answered in time"));
            }
        }
    }
}
