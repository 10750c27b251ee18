package org.aspas.emulab.experiments.growth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what processes of this machine take. The heap is that of a class histogram, before which the virtual machine collects all
 * garbage; that needs {@code jcmd}, which comes with every JDK. Threads and descriptors are read from {@code /proc}.
 */
public final class ProcessMeter {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");
    private static final Pattern OTHER = Pattern.compile("(?m)^-\\s+Other \\(reserved=\\d+, committed=(\\d+)\\)");
    private static final long PATIENCE_SECONDS = 60;

    private final Path jcmd;

    private ProcessMeter(Path jcmd) {
        this.jcmd = jcmd;
    }

    /**
     * A meter by the tools of the JDK that runs this program.
     *
     * @throws IOException when this is no JDK, or the system has no {@code /proc}
     */
    public static ProcessMeter ofThisJdk() throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            throw new IOException("there is no " + jcmd + ": to measure a heap needs a JDK");
        }
        if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
            throw new IOException("threads and descriptors are read from /proc, which this system has not");
        }
        return new ProcessMeter(jcmd);
    }

    /**
     * What a node takes now. Collects its garbage.
     *
     * @param process the node's process; those that it started count too
     * @param data the node's data directory
     * @throws IOException when one has ended or does not answer
     */
    public NodeUse measure(ProcessHandle process, Path data) throws IOException, InterruptedException {
        NodeUse sum = new NodeUse(0, lengths(data), 0, 0);
        List<ProcessHandle> all =
                Stream.concat(Stream.of(process), process.descendants()).toList();
        for (ProcessHandle one : all) {
            Path folder = Path.of("/proc", Long.toString(one.pid()));
            sum = sum.plus(new NodeUse(
                    total(histogram(one.pid())), 0, entries(folder.resolve("task")), entries(folder.resolve("fd"))));
        }
        return sum;
    }

    /** The live objects of a process by class, the most bytes first, as text. Collects its garbage. */
    public String histogram(long pid) throws IOException, InterruptedException {
        // A histogram leaves its own collection out when some thread is in native code that holds an array.
        asked(pid, "GC.run");
        return asked(pid, "GC.class_histogram");
    }

    /**
     * The bytes outside of the heap that the program asked for itself, most of it for buffers: what the virtual machine's own tracking
     * of native memory calls other.
     *
     * @throws IOException when the process does not answer, or was started without {@code -XX:NativeMemoryTracking=summary}
     */
    public long directBytes(long pid) throws IOException, InterruptedException {
        String tracked = asked(pid, "VM.native_memory summary scale=b");
        Matcher other = OTHER.matcher(tracked);
        if (!other.find()) {
            throw new IOException("process " + pid + " does not track its native memory: "
                    + tracked.lines().skip(1).findFirst().orElse(""));
        }
        return Long.parseLong(other.group(1));
    }

    private String asked(long pid, String what) throws IOException, InterruptedException {
        // By a file, for a pipe can fill: this process may be the one that is asked, and it stands still while it
        // answers.
        Path answer = Files.createTempFile("aspas-jcmd", ".txt");
        try {
            Process asked = new ProcessBuilder(jcmd.toString(), Long.toString(pid), what)
                    .redirectErrorStream(true)
                    .redirectOutput(answer.toFile())
                    .start();
            boolean ended = asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            asked.destroyForcibly();
            String text = Files.readString(answer);
            if (!ended || asked.waitFor() != 0) {
                throw new IOException("process " + pid + " does not answer " + what + ": " + text.strip());
            }
            return text;
        } finally {
            Files.delete(answer);
        }
    }

    static long total(String histogram) throws IOException {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IOException("this is no class histogram: "
                    + histogram.lines().findFirst().orElse(""));
        }
        return Long.parseLong(total.group(1));
    }

    private static long entries(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }

    private static long lengths(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.mapToLong(ProcessMeter::length).sum();
        } catch (UncheckedIOException changed) {
            throw changed.getCause();
        }
    }

    /** A file that goes while the directory is read counts nothing. */
    private static long length(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
