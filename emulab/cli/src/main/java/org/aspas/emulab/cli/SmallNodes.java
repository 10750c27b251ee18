package org.aspas.emulab.cli;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * How the JVMs of nodes are set when many nodes share one machine: little memory each, and few threads that only serve the JVM
 * itself. A machine with an appserver and a bftserver of its own keeps the settings for speed.
 */
final class SmallNodes {
    /** Up to so many nodes on one machine keep the settings for speed. */
    private static final int MOST_LARGE = 2;

    private static final long LEAST_HEAP = 128;
    private static final long MOST_HEAP = 512;
    private static final int SHARE = 4;

    /** What these settings replace: they ask for more memory than they have to. */
    private static final List<String> REPLACED = List.of(
            "-XX:+UseTransparentHugePages", "-XX:InitialRAMPercentage=", "-XX:TieredStopAtLevel=", "-Xms", "-Xmx");

    /** A JVM that is told two of them does not start. */
    private static final List<String> COLLECTORS =
            List.of("-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC", "-XX:+UseShenandoahGC");

    private SmallNodes() {}

    /**
     * The options of a JVM.
     *
     * @param wanted what the user wants: {@code ASPAS_JAVA_OPTS}, which stands above all
     */
    static List<String> options(List<String> options, String wanted, int nodes) {
        if (nodes <= MOST_LARGE) {
            return options;
        }
        List<String> given =
                wanted.isBlank() ? List.of() : List.of(wanted.strip().split("\\s+"));
        List<String> made = new ArrayList<>(options);
        made.removeIf(starts(REPLACED).or(COLLECTORS::contains).or(given::contains));
        if (given.stream().noneMatch(COLLECTORS::contains)) {
            made.add("-XX:+UseSerialGC");
        }
        made.addAll(List.of(
                "-Xms8m",
                "-Xmx" + heapMebibytes(nodes) + "m",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=20",
                "-XX:TieredStopAtLevel=1",
                "-XX:ReservedCodeCacheSize=64m"));
        made.addAll(given);
        return List.copyOf(made);
    }

    private static Predicate<String> starts(List<String> prefixes) {
        return option -> prefixes.stream().anyMatch(option::startsWith);
    }

    /** What a quarter of the machine's memory gives to each node, in bounds; an object of a mebibyte is held several times. */
    private static long heapMebibytes(int nodes) {
        long machine =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return Math.max(LEAST_HEAP, Math.min(MOST_HEAP, (machine >> 20) / SHARE / nodes));
    }
}
