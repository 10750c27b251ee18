package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of README's section "Your first counter", line by line, with real processes. Changed is only what a test
 * needs: the folder, the ports, and how long {@code up} waits on a busy machine.
 */
class ReadmeLabTest {
    private static final Path README = Path.of("../../README.md");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final int PORT_OF_CLIENTS = 1000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void everyCommandDoesWhatItSays() throws Exception {
        List<String> lines = block("## 2. Your first counter");
        assertThat(lines).hasSizeGreaterThan(8);
        assertThat(lines.get(0)).startsWith("./aspas init lab");
        assertThat(CommandRun.of(words(lines.get(0), folder.resolve("literal"))).exit())
                .isZero();

        FreePorts ports = FreePorts.choose();
        Path lab = folder.resolve("lab");
        assertThat(CommandRun.of(ports.init(lab.toString())).exit()).isZero();
        try {
            for (String line : lines.subList(1, lines.size())) {
                run(line, lab, ports.appservers().get(0) + PORT_OF_CLIENTS);
            }
        } finally {
            CommandRun.of("down", lab.toString(), "--timeout", "1", "--force");
        }
    }

    private void run(String line, Path lab, int port) throws Exception {
        if (line.startsWith("curl")) {
            curl(line.replace("localhost:8100", "127.0.0.1:" + port));
            return;
        }
        CommandRun run = CommandRun.of(words(line, lab));
        assertThat(run.exit()).as("%s%n%s%s", line, run.out(), run.errors()).isZero();
    }

    private void curl(String line) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/curl")), "there is no curl to run README's lines with");
        Path output = folder.resolve("curl.txt");
        List<String> command = new ArrayList<>(split(line));
        command.addAll(1, List.of("--silent", "--show-error", "--fail"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor())
                .as("%s%n%s", line, Files.readString(output, StandardCharsets.UTF_8))
                .isZero();
    }

    /** A command's words without {@code ./aspas}; {@code lab} and files are in the test's folder. */
    private String[] words(String line, Path lab) {
        List<String> words = new ArrayList<>();
        for (String word : split(line)) {
            words.add(
                    word.equals("lab")
                            ? lab.toString()
                            : word.endsWith(".cbor") ? folder.resolve(word).toString() : word);
            if (word.equals("--wait")) {
                words.add("300");
            }
        }
        return words.subList(1, words.size()).toArray(String[]::new);
    }

    private static List<String> split(String line) {
        return WORD.matcher(line)
                .results()
                .map(found -> found.group(1) != null
                        ? found.group(1)
                        : found.group(2) != null ? found.group(2) : found.group(3))
                .toList();
    }

    /** The lines of the first block of code below a heading, without comments. */
    private static List<String> block(String heading) throws IOException {
        String below = Files.readString(README).split(Pattern.quote(heading), 2)[1];
        return below.split("```", 3)[1]
                .lines()
                .map(line -> line.replaceFirst("\\s+# .*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
