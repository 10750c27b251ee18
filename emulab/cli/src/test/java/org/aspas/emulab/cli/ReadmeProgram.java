package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** Runs the programs of README as processes in one folder, which holds {@code lab} and leads to {@code client}. */
final class ReadmeProgram {
    private static final long MOST_SECONDS = 900;

    /** What README leaves to the reader: a class around the statements. */
    private static final String JAVA = "import java.nio.file.Path;%nimport org.aspas.client.api.*;%n%n"
            + "class First {%n    public static void main(String[] arguments) throws Exception {%n%s%n    }%n}%n";

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PYTHONPATH", "client/python", "PYTHONDONTWRITEBYTECODE", "1");

    private final Path folder;

    ReadmeProgram(Path folder) throws IOException {
        this.folder = folder;
        Files.createSymbolicLink(
                folder.resolve("client"), Path.of("../../client").toRealPath());
    }

    /** Removes the way out of the folder. */
    void close() throws IOException {
        Files.delete(folder.resolve("client"));
    }

    /** Compiles and runs a block of Java with the launcher for source files. */
    void java(String block) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("First.java"), JAVA.formatted(block));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String printed = run(List.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "First.java"));
        assertThat(printed.strip().lines())
                .as("the counter when it was answered, and certified")
                .hasSize(2)
                .allMatch(line -> line.matches("\\d+"));
    }

    void javaScript(String block) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("first.mjs"), block);
        assertThat(run(List.of("node", "first.mjs")).strip()).matches("\\d+n?");
    }

    void python(String block) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("first.py"), block);
        assertThat(run(List.of("python3", "first.py")).strip()).matches("\\d+");
    }

    /** Runs a command, which must succeed, and gives what it printed. */
    String run(List<String> command) throws IOException, InterruptedException {
        Process process = start(command);
        try {
            boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
            assertThat(ended).as("%s ends%n%s", command, printed()).isTrue();
            assertThat(process.exitValue()).as("%s%n%s", command, printed()).isZero();
            return printed();
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Starts a command, waits until it has printed what is awaited, and ends it. By SIGTERM: where Maven runs in a background job,
     * children ignore SIGINT.
     */
    String ended(List<String> command, Predicate<String> awaited) throws IOException, InterruptedException {
        Process process = start(command);
        try {
            Awaitility.await().atMost(MOST_SECONDS, TimeUnit.SECONDS).until(() -> {
                assertThat(process.isAlive()).as("%s%n%s", command, printed()).isTrue();
                return awaited.test(printed());
            });
            process.destroy();
            assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
            return printed();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Whether a program is here, as it says itself. */
    boolean isHere(String... command) throws InterruptedException {
        try {
            return start(List.of(command)).waitFor() == 0;
        } catch (IOException notFound) {
            return false;
        }
    }

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile());
        builder.environment().putAll(ENVIRONMENT);
        return builder.start();
    }

    private String printed() throws IOException {
        return Files.readString(folder.resolve("printed"), StandardCharsets.UTF_8);
    }
}
