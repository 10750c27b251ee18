package org.aspas.emulab.experiments.result;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a run was made on. What the system does not tell is empty, or negative for a number.
 *
 * @param cpu the processor's model
 * @param cores how many processors this process sees
 * @param kernel the operating system and its version
 * @param java the Java runtime's version and its maker
 * @param commit the commit of the source tree that the program was built in, wherever it is started
 * @param changed whether that tree had changes that no commit has
 * @param loadAtStart the load of the last minute when the run began
 */
public record MachineFacts(
        String cpu,
        int cores,
        long memoryMebibytes,
        String kernel,
        String java,
        String commit,
        boolean changed,
        double loadAtStart) {
    private static final long GIT_SECONDS = 10;

    public static MachineFacts now() {
        List<String> head = git("rev-parse", "HEAD");
        return new MachineFacts(
                field(Path.of("/proc/cpuinfo"), "model name"),
                Runtime.getRuntime().availableProcessors(),
                kibibytes(field(Path.of("/proc/meminfo"), "MemTotal")) / 1024,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.version() + " (" + System.getProperty("java.vm.name") + ", " + System.getProperty("java.vendor")
                        + ")",
                head.isEmpty() ? "" : head.get(0),
                !git("status", "--porcelain").isEmpty(),
                load());
    }

    /** The load of the last minute; negative where the system does not tell. */
    public static double load() {
        return load(lines(Path.of("/proc/loadavg")));
    }

    static double load(List<String> lines) {
        try {
            return lines.isEmpty() ? -1 : Double.parseDouble(lines.get(0).split(" ", -1)[0]);
        } catch (NumberFormatException notAsExpected) {
            return -1;
        }
    }

    private static String field(Path file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** -1024 where the system does not tell. */
    static long kibibytes(String text) {
        try {
            return text.endsWith(" kB") ? Long.parseLong(text.substring(0, text.length() - 3)) : -1024;
        } catch (NumberFormatException notAsExpected) {
            return -1024;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException unknown) {
            return List.of();
        }
    }

    /** The source tree: where the launcher is, which says so; else where the program was started. */
    private static Path sources() {
        String launcher = System.getProperty("aspas.launcher");
        Path folder =
                launcher == null ? null : Path.of(launcher).toAbsolutePath().getParent();
        return folder != null && Files.isDirectory(folder)
                ? folder
                : Path.of("").toAbsolutePath();
    }

    /** What git prints; nothing without git, outside a work tree, or after too long. */
    private static List<String> git(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "git";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(sources().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(GIT_SECONDS, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? printed.lines().toList() : List.of();
        } catch (IOException absent) {
            return List.of();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
