package org.aspas.emulab.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.telemetry.TracingSettings;

/**
 * What watching a deployment costs: the operations a second of clients that do what they can, while all nodes are asked for {@code
 * /metrics} again and again, and while nobody asks. A round is four turns, off, on, on, off, in which the clients work without a pause; so
 * what changes slowly is in both. Before that, while no client works, it counts the processor time of one scrape.
 *
 * <p>Tracing is a matter of a node's start, so it has a second deployment, which is idle while the first one works and works while
 * that is idle.
 *
 * <p>Arguments: clients, rounds, seconds of a turn, seconds of warm-up; then, which may be left out, seconds between two reads of a node
 * (usually 1, at most those of a turn) and the ratio of tracing, without which there is none. Ratio 0 tells how much two deployments
 * differ by themselves. Not a test: it takes minutes, and its figure is worth as much as the machine is quiet.
 */
public final class MetricsCostMain {
    /** How often all nodes are read to know what one read takes, and as often before that, so that the code is compiled. */
    private static final int COUNTED = 200;

    private static final int TURNS = 4;

    private MetricsCostMain() {}

    /** Prints the ratios. */
    public static void main(String[] arguments) throws Exception {
        int clients = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        long warmUp = Long.parseLong(arguments[3]);
        long pauseMillis = arguments.length > 4 ? TimeUnit.SECONDS.toMillis(Long.parseLong(arguments[4])) : 1_000;
        try (LoadedCluster plain = LoadedCluster.start(clients, null)) {
            plain.perSecond(warmUp);
            count(plain);
            scrape(plain, rounds, seconds, pauseMillis);
            if (arguments.length > 5) {
                trace(plain, clients, rounds, seconds, warmUp, Double.parseDouble(arguments[5]));
            }
        }
        System.exit(0);
    }

    private static void scrape(LoadedCluster plain, int rounds, long seconds, long pauseMillis) throws Exception {
        List<Scraper> scrapers = new ArrayList<>();
        List<LoadedCluster.Turn> turns = plain.work(TURNS * rounds, seconds, turn -> {
            if (turn % TURNS == 1) {
                scrapers.add(new Scraper(plain.metrics()).every(pauseMillis));
            } else if (turn % TURNS == 3) {
                scrapers.get(scrapers.size() - 1).close();
            }
        });
        List<Double> speeds = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<LoadedCluster.Turn> four = turns.subList(TURNS * round, TURNS * (round + 1));
            Scraper scraper = scrapers.get(round);
            tell(
                    speeds,
                    (four.get(0).perSecond() + four.get(3).perSecond()) / 2,
                    (four.get(1).perSecond() + four.get(2).perSecond()) / 2);
            times.add((four.get(0).micros() + four.get(3).micros())
                    / (four.get(1).micros() + four.get(2).micros()));
            System.out.printf(
                    Locale.ROOT,
                    "%d scrapes, %,d bytes, %d failed%n",
                    scraper.reads(),
                    scraper.bytes(),
                    scraper.failures());
        }
        sum("metrics, operations/s, on : off", speeds);
        sum("metrics, processor time of an operation, off : on", times);
    }

    private static void trace(LoadedCluster plain, int clients, int rounds, long seconds, long warmUp, double sampled)
            throws Exception {
        List<Double> ratios = new ArrayList<>();
        try (SpanDrain drain = new SpanDrain();
                LoadedCluster traced =
                        LoadedCluster.start(clients, TracingSettings.of(drain.endpoint(), sampled, null))) {
            traced.perSecond(warmUp);
            for (int round = 0; round < rounds; round++) {
                double before = plain.perSecond(seconds);
                double on = (traced.perSecond(seconds) + traced.perSecond(seconds)) / 2;
                tell(ratios, (before + plain.perSecond(seconds)) / 2, on);
            }
            System.out.printf(Locale.ROOT, "%d batches of spans, %,d bytes%n", drain.batches(), drain.bytes());
        }
        sum("tracing, operations/s, on : off", ratios);
    }

    /** What one read takes of the processor, its client included: what this process takes meanwhile, less what it takes in as long a rest. */
    private static void count(LoadedCluster resting) throws InterruptedException {
        scrapes(resting);
        long start = System.nanoTime();
        long before = LoadedCluster.PROCESS.getProcessCpuTime();
        long reads = scrapes(resting);
        long nanos = System.nanoTime() - start;
        long between = LoadedCluster.PROCESS.getProcessCpuTime();
        new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
        long rest = LoadedCluster.PROCESS.getProcessCpuTime() - between;
        System.out.printf(
                Locale.ROOT,
                "one of %d scrapes: %.2f ms of processor time%n",
                reads,
                (between - before - rest) / 1e6 / reads);
    }

    private static long scrapes(LoadedCluster resting) {
        try (Scraper scraper = new Scraper(resting.metrics())) {
            for (int time = 0; time < COUNTED; time++) {
                scraper.readAll();
            }
            return scraper.reads();
        }
    }

    private static void tell(List<Double> ratios, double off, double on) {
        ratios.add(on / off);
        System.out.printf(Locale.ROOT, "off %,.0f, on %,.0f operations/s: %.3f%n", off, on, on / off);
    }

    private static void sum(String what, List<Double> ratios) {
        double[] sorted = ratios.stream().mapToDouble(ratio -> ratio).sorted().toArray();
        double mean = Arrays.stream(sorted).average().orElse(0);
        double spread = Arrays.stream(sorted)
                .map(ratio -> (ratio - mean) * (ratio - mean))
                .sum();
        System.out.printf(
                Locale.ROOT,
                "%s: median %.3f, mean %.3f with a standard error of %.3f, from %.3f to %.3f in %d rounds%n",
                what,
                (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2,
                mean,
                Math.sqrt(spread / Math.max(1, sorted.length - 1) / sorted.length),
                sorted[0],
                sorted[sorted.length - 1],
                sorted.length);
    }
}
