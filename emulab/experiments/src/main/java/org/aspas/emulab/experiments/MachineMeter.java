package org.aspas.emulab.experiments;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.aspas.emulab.experiments.report.MachineFigures;
import org.aspas.emulab.workload.SystemUnderTest;

/**
 * What a run takes of the machine's processors, and what others take meanwhile, from the moment it is made.
 *
 * <p>Linux tells in {@code /proc/stat} how long all processors did what, in ticks: user, nice, system, idle, waiting for a
 * disk, interrupts, soft interrupts, and steal, which another virtual machine had.
 */
final class MachineMeter {
    private static final Path STAT = Path.of("/proc/stat");
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int STEAL = 7;
    private static final int KINDS = 8;

    private final SystemUnderTest system;
    private final double loadAtStart =
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    private final long startNanos = System.nanoTime();
    private final long[] ticks = ticks();
    private final Duration here = processorTime();
    private final Duration elsewhere;

    /** Begins to measure. */
    MachineMeter(SystemUnderTest system) {
        this.system = system;
        this.elsewhere = system.processorTimeElsewhere();
    }

    /** What this process has used so far; zero where the system does not tell. */
    static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    MachineFigures figures() {
        long[] now = ticks();
        long all = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            all += now[kind] - ticks[kind];
        }
        long idle = now[IDLE] - ticks[IDLE] + now[WAITING] - ticks[WAITING];
        return MachineFigures.of(
                Runtime.getRuntime().availableProcessors(),
                (System.nanoTime() - startNanos) / 1e9,
                loadAtStart,
                all == 0 ? 0 : 1 - idle / (double) all,
                all == 0 ? 0 : (now[STEAL] - ticks[STEAL]) / (double) all,
                seconds(processorTime().minus(here)),
                seconds(system.processorTimeElsewhere().minus(elsewhere)));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    /** All zero where the system does not tell, or not in the way that Linux does. */
    private static long[] ticks() {
        try {
            return ticks(Files.readString(STAT, StandardCharsets.US_ASCII));
        } catch (IOException elsewhereThanLinux) {
            return new long[KINDS];
        }
    }

    static long[] ticks(String stat) {
        long[] ticks = new long[KINDS];
        String[] words = stat.lines().findFirst().orElse("").split(" +", -1);
        for (int kind = 0; kind < Math.min(KINDS, words.length - 1); kind++) {
            try {
                ticks[kind] = Long.parseLong(words[kind + 1]);
            } catch (NumberFormatException notAsExpected) {
                return new long[KINDS];
            }
        }
        return ticks;
    }
}
