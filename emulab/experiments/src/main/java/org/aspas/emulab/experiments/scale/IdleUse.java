package org.aspas.emulab.experiments.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a process that has nothing to do takes all the same. Read from {@code /proc}.
 *
 * @param processorPercent of one processor
 * @param wakeUps how often a second a thread of it went to sleep, and so was woken up
 */
public record IdleUse(double processorPercent, double wakeUps) {
    private static final Pattern SLEEPS = Pattern.compile("(?m)^voluntary_ctxt_switches:\\s+(\\d+)$");
    private static final double HUNDRED = 100;

    private record Reading(long nanos, long processorNanos, long sleeps) {}

    /**
     * Watches processes for a while.
     *
     * @return the use of each with its descendants, in their order
     * @throws IOException when they cannot be read
     */
    public static List<IdleUse> watch(List<ProcessHandle> processes, int seconds)
            throws IOException, InterruptedException {
        Reading[] before = new Reading[processes.size()];
        for (int i = 0; i < before.length; i++) {
            before[i] = read(processes.get(i));
        }
        TimeUnit.SECONDS.sleep(seconds);
        IdleUse[] uses = new IdleUse[before.length];
        for (int i = 0; i < before.length; i++) {
            Reading after = read(processes.get(i));
            double nanos = after.nanos() - before[i].nanos();
            uses[i] = new IdleUse(
                    HUNDRED * (after.processorNanos() - before[i].processorNanos()) / nanos,
                    TimeUnit.SECONDS.toNanos(1) * (after.sleeps() - before[i].sleeps()) / nanos);
        }
        return List.of(uses);
    }

    private static Reading read(ProcessHandle process) throws IOException {
        long processor = 0;
        long sleeps = 0;
        for (ProcessHandle one :
                Stream.concat(Stream.of(process), process.descendants()).toList()) {
            processor +=
                    one.info().totalCpuDuration().map(spent -> spent.toNanos()).orElse(0L);
            sleeps += sleeps(Path.of("/proc", Long.toString(one.pid()), "task"));
        }
        return new Reading(System.nanoTime(), processor, sleeps);
    }

    private static long sleeps(Path threads) throws IOException {
        long sum = 0;
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                sum += ofThread(thread.resolve("status"));
            }
        }
        return sum;
    }

    /** A thread that ends meanwhile counts nothing. */
    private static long ofThread(Path status) throws IOException {
        try {
            Matcher sleeps = SLEEPS.matcher(Files.readString(status));
            return sleeps.find() ? Long.parseLong(sleeps.group(1)) : 0;
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }
}
