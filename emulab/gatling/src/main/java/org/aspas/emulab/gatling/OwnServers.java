package org.aspas.emulab.gatling;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All servers of a deployment in a process of their own, {@code aspas cluster}, for a run that names no servers. They end with
 * this process, however it ends, since then their standard input is closed.
 */
final class OwnServers implements AutoCloseable {
    /** Set by the launcher script: its own path. */
    static final String LAUNCHER = "aspas.launcher";

    /** What the command prints when all servers take part. */
    private static final String READY = "ready";

    private static final long END_SECONDS = 20;

    private final Process process;
    private final Path folder;

    private OwnServers(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /**
     * Starts them, and waits until they are ready.
     *
     * @param role how the last appserver misbehaves; null for all correct
     */
    static OwnServers start(@Nullable String role) throws IOException {
        String launcher = System.getProperty(LAUNCHER);
        if (launcher == null) {
            throw new IllegalArgumentException(
                    "name the servers by --descriptor or --base-url: only ./aspas gatling can start servers");
        }
        Path folder = Files.createTempDirectory("aspas-gatling-");
        List<String> command = List.of(
                launcher,
                "cluster",
                "--until-eof",
                "--dir",
                folder.resolve("deployment").toString());
        Process process = new ProcessBuilder(
                        role == null
                                ? command
                                : Stream.concat(command.stream(), Stream.of("--byzantine", role))
                                        .toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        OwnServers servers = new OwnServers(process, folder);
        servers.awaitReady();
        return servers;
    }

    Path descriptor() {
        return folder.resolve("deployment").resolve("deployment.json");
    }

    private void awaitReady() throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        System.out.println("starting servers in a process of their own ...");
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                System.out.println(line);
                Thread rest = new Thread(() -> output.lines().forEach(System.out::println), "servers-output");
                rest.setDaemon(true);
                rest.start();
                return;
            }
        }
        close();
        throw new IOException("the servers ended before they were ready");
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(OwnServers::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException kept) {
            throw new UncheckedIOException(kept);
        }
    }
}
