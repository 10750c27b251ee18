package org.aspas.emulab.experiments.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aspas.emulab.experiments.growth.ProcessMeter;
import org.aspas.emulab.testbed.cluster.AppserverProbe;

/**
 * What a start of an appserver took, and what it holds then.
 *
 * @param seconds from the start of the process until it says that it is ready
 * @param processorSeconds of the processor until then
 * @param heapBytes of live objects, after a collection
 * @param residentBytes of memory, at most so far; 0 where the system does not tell
 * @param baseBytes on the disk, of what is certified
 * @param journalBytes on the disk, of records; segments have their whole length from their beginning
 */
public record NodeStart(
        double seconds,
        double processorSeconds,
        long heapBytes,
        long residentBytes,
        long baseBytes,
        long journalBytes) {
    private static final long POLL_MILLIS = 20;
    private static final Pattern MOST_RESIDENT = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");
    private static final double MIB = 1 << 20;

    /**
     * Waits until a process is ready, and measures it.
     *
     * @param process begun at {@code begin}, a moment of {@link System#nanoTime}
     * @throws TimeoutException when it is not ready in time
     * @throws IOException when it ends, or cannot be measured
     */
    public static NodeStart await(
            Process process, long begin, AppserverProbe probe, Path data, ProcessMeter meter, long patienceSeconds)
            throws IOException, InterruptedException, TimeoutException {
        while (!probe.ready()) {
            if (!process.isAlive()) {
                throw new IOException("an appserver ended with exit code " + process.exitValue());
            }
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(patienceSeconds)) {
                throw new TimeoutException("an appserver is not ready after " + patienceSeconds + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double processor = process.toHandle()
                .info()
                .totalCpuDuration()
                .map(spent -> spent.toNanos() / 1e9)
                .orElse(0.0);
        long heap = meter.measure(process.toHandle(), data).heapBytes();
        return new NodeStart(
                seconds,
                processor,
                heap,
                resident(process.pid()),
                length(data.resolve("base")),
                length(data.resolve("journal")));
    }

    private static long resident(long pid) throws IOException {
        Matcher most = MOST_RESIDENT.matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
        return most.find() ? 1024 * Long.parseLong(most.group(1)) : 0;
    }

    private static long length(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        long sum = 0;
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file : all.toList()) {
                sum += size(file);
            }
        }
        return sum;
    }

    /** A file that goes meanwhile counts nothing. */
    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }

    public String line() {
        return String.format(
                Locale.ROOT,
                "ready after %.2f s (%.2f s of processor), live heap %.1f MiB, resident at most %.1f MiB, base %.1f MiB,"
                        + " journal %.1f MiB",
                seconds,
                processorSeconds,
                heapBytes / MIB,
                residentBytes / MIB,
                baseBytes / MIB,
                journalBytes / MIB);
    }
}
