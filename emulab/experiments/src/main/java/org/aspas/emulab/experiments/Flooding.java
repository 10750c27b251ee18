package org.aspas.emulab.experiments;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.Policy;
import org.aspas.emulab.baselines.AspasSystem;
import org.aspas.emulab.experiments.report.ComparisonReport.Leg;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.experiments.report.SignatureCost;
import org.aspas.emulab.experiments.report.ThreadTimes;
import org.aspas.emulab.testbed.attack.Flood;
import org.aspas.emulab.testbed.attack.FloodPlan;
import org.aspas.emulab.workload.StoreSession;

/**
 * Floods as a treatment: the same clients, while others flood every appserver. What the attackers themselves take of the processors
 * is counted apart, by their threads, and as much is burnt beside the legs without them.
 *
 * @param perSecond how many frames a second each of the flooding clients would like to send
 * @param seed where their keys come from
 */
record Flooding(FloodPlan plan, int perSecond, long seed) implements Comparison.Treatment {
    private static final Path SELF = Path.of("/proc/self");
    private static final String THREADS = "flood";
    /** The one thread of the attackers' connections that the JDK names. */
    private static final String SELECTOR = "HttpClient-";

    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public Subject subject() {
        return new Subject(plan.name(), perSecond + "/s", "flood_frames");
    }

    @Override
    public String title() {
        return "what " + plan.kinds().size() + " clients at each appserver cost the others, which send " + perSecond
                + " frames/s each (" + plan.name() + ")";
    }

    @Override
    public Policy policy(boolean on) {
        return Policy.STAY;
    }

    /** So that it is known what attackers take before the first leg without them, and their code is compiled. */
    @Override
    public boolean rehearsed() {
        return true;
    }

    @Override
    public Comparison.Running begin(AspasSystem system) {
        Set<String> others = ThreadTimes.of(SELF).threads().keySet();
        ClientResources resources = ClientResources.create(THREADS, processors());
        Flood flood = Flood.begin(system.cluster().descriptor(), resources, plan, perSecond, seed);
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return flood.frames();
            }

            @Override
            public double processorSeconds() {
                return attackersNanos(others) / NANOS_PER_SECOND;
            }

            @Override
            public void close() {
                flood.close();
                resources.close();
            }
        };
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static long attackersNanos(Set<String> others) {
        return ThreadTimes.of(SELF).threads().entrySet().stream()
                .filter(one -> one.getValue().name().startsWith(THREADS)
                        || one.getValue().name().startsWith(SELECTOR) && !others.contains(one.getKey()))
                .mapToLong(one -> one.getValue().nanos())
                .sum();
    }

    @Override
    public Comparison.Running beside(List<Leg> before) {
        double cores = before.stream()
                .filter(Leg::on)
                .mapToDouble(Leg::apartCores)
                .average()
                .orElse(0);
        CpuLoad burner = new CpuLoad(cores, processors());
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return 0;
            }

            @Override
            public double processorSeconds() {
                return burner.seconds();
            }

            @Override
            public void close() {
                burner.close();
            }
        };
    }

    /**
     * Burns processor time beside a run: as many threads as there are processors, of usual priority, sign and verify for their share of
     * it in bursts. So a quiet run has as little left of the machine as one under attack. What a burst could not have is caught up
     * with later.
     */
    static final class CpuLoad implements AutoCloseable {
        private static final long PULSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
        private static final long BURST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
        private static final double NANOS_PER_SECOND = 1e9;
        private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

        private final double share;
        private final AtomicLongArray burnt;
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean over;

        /**
         * Starts the threads at once.
         *
         * @param cores how many processors they keep busy together, such as 0.3
         */
        CpuLoad(double cores, int threads) {
            this.share = cores / threads;
            this.burnt = new AtomicLongArray(threads);
            for (int number = 0; number < threads; number++) {
                int own = number;
                Thread thread = new Thread(() -> burn(own), "burn-" + number);
                thread.setDaemon(true);
                this.threads.add(thread);
                thread.start();
            }
        }

        private void burn(int number) {
            SignatureCost work = new SignatureCost(Ed25519Choice.ofThisProcess().scheme());
            long start = System.nanoTime();
            long before = CLOCK.getCurrentThreadCpuTime();
            while (!over) {
                long spent = CLOCK.getCurrentThreadCpuTime() - before;
                burnt.set(number, spent);
                if (spent < share * (System.nanoTime() - start)) {
                    work.nanosToVerify(BURST_NANOS);
                } else {
                    LockSupport.parkNanos(PULSE_NANOS);
                }
            }
        }

        /** The processor time that was burnt so far, in seconds. */
        double seconds() {
            long sum = 0;
            for (int number = 0; number < burnt.length(); number++) {
                sum += burnt.get(number);
            }
            return sum / NANOS_PER_SECOND;
        }

        @Override
        public void close() {
            over = true;
            boolean interrupted = false;
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    try {
                        thread.join();
                    } catch (InterruptedException again) {
                        interrupted = true;
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
