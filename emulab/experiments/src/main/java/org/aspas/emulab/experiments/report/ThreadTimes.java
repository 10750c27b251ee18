package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What each thread of a process has taken of the processors, from Linux's {@code /proc/PID/task/TID/schedstat}: processor time
 * in nanoseconds, time of waiting for a processor, and how many slices of time it was given. Threads of the JVM itself are
 * among them; what a thread took that ended between two readings is not.
 *
 * @param threads by the thread's number; none where the system does not tell
 */
public record ThreadTimes(Map<String, Spent> threads) {
    private static final int NANOS = 0;
    private static final int SLICES = 2;

    /**
     * What one thread has taken.
     *
     * @param name its name in the kernel: the first 15 characters
     * @param nanos processor time
     * @param slices how often it was given a processor
     */
    public record Spent(String name, long nanos, long slices) {}

    public ThreadTimes {
        threads = Map.copyOf(threads);
    }

    /**
     * Reads the threads of a process.
     *
     * @param process its folder, such as {@code /proc/self}
     */
    public static ThreadTimes of(Path process) {
        Map<String, Spent> threads = new HashMap<>();
        for (Path thread : folders(process.resolve("task"))) {
            spent(thread).ifPresent(one -> threads.put(thread.getFileName().toString(), one));
        }
        return new ThreadTimes(threads);
    }

    private static List<Path> folders(Path tasks) {
        try (Stream<Path> all = Files.list(tasks)) {
            return all.toList();
        } catch (IOException | UncheckedIOException elsewhereThanLinuxOrEnded) {
            return List.of();
        }
    }

    private static Optional<Spent> spent(Path thread) {
        try {
            String[] numbers = text(thread.resolve("schedstat")).split(" ", -1);
            return numbers.length <= SLICES
                    ? Optional.empty()
                    : Optional.of(new Spent(
                            text(thread.resolve("comm")),
                            Long.parseLong(numbers[NANOS]),
                            Long.parseLong(numbers[SLICES])));
        } catch (IOException | NumberFormatException ended) {
            return Optional.empty();
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }

    /** What was taken since an earlier reading of the same process. */
    public ThreadTimes since(ThreadTimes earlier) {
        Map<String, Spent> taken = new HashMap<>();
        threads.forEach((number, now) -> {
            Spent before = earlier.threads.getOrDefault(number, new Spent(now.name(), 0, 0));
            taken.put(number, new Spent(now.name(), now.nanos() - before.nanos(), now.slices() - before.slices()));
        });
        return new ThreadTimes(taken);
    }

    public long slices() {
        return threads.values().stream().mapToLong(Spent::slices).sum();
    }

    /** Nanoseconds of processor time by what a function makes of a thread's name. */
    public SortedMap<String, Long> nanosBy(Function<String, String> party) {
        SortedMap<String, Long> sums = new TreeMap<>();
        threads.values().forEach(one -> sums.merge(party.apply(one.name()), one.nanos(), Long::sum));
        return sums;
    }
}
