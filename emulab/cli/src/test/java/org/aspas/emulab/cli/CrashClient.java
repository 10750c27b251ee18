package org.aspas.emulab.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One {@link CrashClientMain} and what it printed in all its lives. For one thread. */
final class CrashClient implements AutoCloseable {
    private final Path folder;
    private final Path lab;
    private final String name;
    private final int server;
    private final Map<Integer, Integer> read = new TreeMap<>();
    private final Set<Long> tried = new TreeSet<>();
    private final Set<Long> acknowledged = new TreeSet<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<Long, Long> certificates = new TreeMap<>();
    private long reads;
    private int lives;
    private @Nullable Process process;

    CrashClient(Path folder, Path lab, String name, int server) {
        this.folder = folder;
        this.lab = lab;
        this.name = name;
        this.server = server;
    }

    String name() {
        return name;
    }

    /** Starts it, for the first time or again. */
    void start(long seed) throws IOException {
        look();
        long next = tried.stream().mapToLong(Long::longValue).max().orElse(-1) + 1;
        lives++;
        List<String> command = JavaCommand.of(
                CrashClientMain.class,
                List.of("-Xmx128m", "-Dlogback.configurationFile=logback.xml"),
                List.of(lab.toString(), name, "" + server, "" + next, "" + (seed + lives)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(out(lives))
                .redirectError(folder.resolve(name + "." + lives + ".err").toFile());
        builder.environment().put("ASPAS_LOG_TO", "STDERR");
        process = builder.start();
    }

    private File out(int life) {
        return folder.resolve(name + "." + life + ".out").toFile();
    }

    void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    boolean runs() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** Reads what was printed since the last look; an unfinished line waits. */
    void look() {
        for (int life = 1; life <= lives; life++) {
            try {
                byte[] all = Files.readAllBytes(out(life).toPath());
                int from = read.getOrDefault(life, 0);
                int to = all.length;
                while (to > from && all[to - 1] != '\n') {
                    to--;
                }
                new String(all, from, to - from, StandardCharsets.UTF_8).lines().forEach(this::take);
                read.put(life, to);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private void take(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "try" -> tried.add(Long.parseLong(words[1]));
            case "ack" -> acknowledged.add(Long.parseLong(words[1]));
            case "read" -> reads++;
            case "certificate" -> certificates.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
            default -> failures.add(line);
        }
    }

    Set<Long> tried() {
        return tried;
    }

    Set<Long> acknowledged() {
        return acknowledged;
    }

    long reads() {
        return reads;
    }

    /** Operations that failed, in its words. */
    List<String> failures() {
        return failures;
    }

    /** When it saw which certificate first, in milliseconds of the wall clock. */
    Map<Long, Long> certificates() {
        return certificates;
    }

    /** How many operations were answered. */
    int answered() {
        look();
        return acknowledged.size();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
        Process ended = process;
        if (ended != null) {
            ended.waitFor(NodeProcesses.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
