package org.aspas.emulab.experiments.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Samples over time and what follows from them. Not thread-safe.
 *
 * @param samples in order; each has the same nodes
 * @param fromSeconds what was before does not count for slopes
 */
public record GrowthSeries(List<GrowthSample> samples, double fromSeconds) {
    public GrowthSeries {
        samples = List.copyOf(samples);
    }

    public NavigableSet<String> nodes() {
        return samples.isEmpty()
                ? new TreeSet<>()
                : new TreeSet<>(samples.get(0).nodes().keySet());
    }

    /** How many samples count for slopes. */
    public long counted() {
        return samples.stream().filter(one -> one.seconds() >= fromSeconds).count();
    }

    /**
     * How much more a node takes for each further update, by the least squares; NaN with fewer than two samples that
     * count.
     */
    public double perUpdate(String node, ToLongFunction<NodeUse> what) {
        List<GrowthSample> counting =
                samples.stream().filter(one -> one.seconds() >= fromSeconds).toList();
        double updates =
                counting.stream().mapToDouble(GrowthSample::updates).average().orElse(0);
        double mean = counting.stream()
                .mapToDouble(one -> value(one, node, what))
                .average()
                .orElse(0);
        double products = 0;
        double squares = 0;
        for (GrowthSample one : counting) {
            products += (one.updates() - updates) * (value(one, node, what) - mean);
            squares += (one.updates() - updates) * (one.updates() - updates);
        }
        return products / squares;
    }

    /** The highest {@link #perUpdate} of the nodes whose names begin with {@code nodes}. */
    public double most(String nodes, ToLongFunction<NodeUse> what) {
        return nodes().stream()
                .filter(node -> node.startsWith(nodes))
                .mapToDouble(node -> perUpdate(node, what))
                .max()
                .orElse(Double.NaN);
    }

    private static long value(GrowthSample sample, String node, ToLongFunction<NodeUse> what) {
        NodeUse use = sample.nodes().get(node);
        if (use == null) {
            throw new IllegalArgumentException("a sample lacks " + node);
        }
        return what.applyAsLong(use);
    }

    /** A line for each sample and node, with a header. */
    public String csv() {
        StringBuilder csv = new StringBuilder("seconds,updates,node,heap_bytes,disk_bytes,threads,descriptors\n");
        for (GrowthSample sample : samples) {
            sample.nodes()
                    .forEach((node, use) -> csv.append(String.format(
                            Locale.ROOT,
                            "%.1f,%d,%s,%d,%d,%d,%d%n",
                            sample.seconds(),
                            sample.updates(),
                            node,
                            use.heapBytes(),
                            use.diskBytes(),
                            use.threads(),
                            use.descriptors())));
        }
        return csv.toString();
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-13s %11s %11s %9s %9s %12s %12s",
                "node",
                "heap MiB",
                "disk MiB",
                "threads",
                "files",
                "heap B/upd",
                "disk B/upd"));
        for (String node : nodes()) {
            NodeUse first = use(0, node);
            NodeUse last = use(samples.size() - 1, node);
            lines.add(String.format(
                    Locale.ROOT,
                    "%-13s %11s %11s %9s %9s %12s %12s",
                    node,
                    mib(first.heapBytes()) + "→" + mib(last.heapBytes()),
                    mib(first.diskBytes()) + "→" + mib(last.diskBytes()),
                    first.threads() + "→" + last.threads(),
                    first.descriptors() + "→" + last.descriptors(),
                    number(perUpdate(node, NodeUse::heapBytes)),
                    number(perUpdate(node, NodeUse::diskBytes))));
        }
        return lines;
    }

    private NodeUse use(int at, String node) {
        NodeUse use = samples.get(at).nodes().get(node);
        if (use == null) {
            throw new IllegalStateException("a sample lacks " + node);
        }
        return use;
    }

    private static String mib(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / 1048576.0);
    }

    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
    }
}
