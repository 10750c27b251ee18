package org.aspas.emulab.console;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.tracing.TracingSettings;

/**
 * What watching a deployment costs: the operations a second of clients that do what they can, while nobody watches, while all nodes are asked
 * for {@code /metrics} again and again, and with tracing at its usual ratio. The three take turns, in another order in each round, and
 * each turn is compared with that of its round in which nobody watches. Tracing is a matter of a node's start, so it has a second deployment,
 * which is idle while the first one works. At the end, while no client works, it counts the processor time of one scrape.
 *
 * <p>Arguments: clients, rounds, seconds of a turn, seconds of warm-up; then, which may be left out, seconds between two reads of a node
 * (usually 1) and the ratio of tracing. Ratio 0 tells how much two deployments differ by themselves. Not a test: it takes minutes, and its
 * figure is worth as much as the machine is quiet.
 */
public final class MetricsCostMain {
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    /** How often all nodes are read to know what one read takes, and as often before that, so that the code is compiled. */
    private static final int COUNTED = 200;

    private MetricsCostMain() {}

    private enum Column {
        /** Nobody watches. */
        OFF,
        /** Everybody is scraped. */
        METRICS,
        /** A deployment with tracing; nobody scrapes it. */
        TRACING
    }

    /** Prints the ratios. */
    public static void main(String[] arguments) throws Exception {
        int clients = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        long warmUp = Long.parseLong(arguments[3]);
        long pauseMillis = arguments.length > 4 ? TimeUnit.SECONDS.toMillis(Long.parseLong(arguments[4])) : 1_000;
        double sampled = arguments.length > 5 ? Double.parseDouble(arguments[5]) : TracingSettings.USUAL_RATIO;
        Map<Column, List<Double>> ratios = new EnumMap<>(Column.class);
        try (SpanDrain drain = new SpanDrain();
                LoadedCluster plain = LoadedCluster.start(clients, null);
                LoadedCluster traced =
                        LoadedCluster.start(clients, TracingSettings.of(drain.endpoint(), sampled, null))) {
            plain.perSecond(warmUp);
            traced.perSecond(warmUp);
            for (int round = 0; round < rounds; round++) {
                Map<Column, Double> speeds = new EnumMap<>(Column.class);
                for (int turn = 0; turn < Column.values().length; turn++) {
                    Column column = Column.values()[(turn + round) % Column.values().length];
                    speeds.put(column, perSecond(column, plain, traced, seconds, pauseMillis));
                }
                tell(speeds, ratios);
            }
            count(plain);
            System.out.printf(Locale.ROOT, "%d batches of spans, %,d bytes%n", drain.batches(), drain.bytes());
        }
        ratios.forEach(MetricsCostMain::sum);
        System.exit(0);
    }

    private static double perSecond(
            Column column, LoadedCluster plain, LoadedCluster traced, long seconds, long pauseMillis) throws Exception {
        if (column == Column.TRACING) {
            return traced.perSecond(seconds);
        }
        if (column == Column.OFF) {
            return plain.perSecond(seconds);
        }
        try (Scraper scraper = new Scraper(plain.metrics()).every(pauseMillis)) {
            double speed = plain.perSecond(seconds);
            System.out.printf(
                    Locale.ROOT,
                    "%d scrapes, %,d bytes, %d failed%n",
                    scraper.reads(),
                    scraper.bytes(),
                    scraper.failures());
            return speed;
        }
    }

    /** What one read takes of the processor, its client included: what this process takes meanwhile, less what it takes in as long a rest. */
    private static void count(LoadedCluster resting) throws InterruptedException {
        scrapes(resting);
        long start = System.nanoTime();
        long before = PROCESS.getProcessCpuTime();
        long reads = scrapes(resting);
        long nanos = System.nanoTime() - start;
        long between = PROCESS.getProcessCpuTime();
        new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
        long rest = PROCESS.getProcessCpuTime() - between;
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

    private static void tell(Map<Column, Double> speeds, Map<Column, List<Double>> ratios) {
        double off = speeds.getOrDefault(Column.OFF, Double.NaN);
        speeds.forEach((column, speed) -> {
            ratios.computeIfAbsent(column, any -> new ArrayList<>()).add(speed / off);
            System.out.printf(Locale.ROOT, "%-8s %,10.0f operations/s: %.3f%n", name(column), speed, speed / off);
        });
    }

    private static void sum(Column column, List<Double> ratios) {
        if (column != Column.OFF) {
            double[] sorted =
                    ratios.stream().mapToDouble(ratio -> ratio).sorted().toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%s : off: median %.3f, mean %.3f, from %.3f to %.3f in %d rounds%n",
                    name(column),
                    (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2,
                    Arrays.stream(sorted).average().orElse(0),
                    sorted[0],
                    sorted[sorted.length - 1],
                    sorted.length);
        }
    }

    private static String name(Column column) {
        return column.name().toLowerCase(Locale.ROOT);
    }
}
