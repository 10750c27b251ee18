package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every block of README, line by line, with real processes; what nobody runs has its reason here. Changed is only what a
 * test needs: the folder, the ports, how long commands wait on a busy machine, and that {@code ./aspas} is this build.
 */
class ReadmeLabTest {
    /** Commands that are not run, and why. */
    private static final Map<String, String> NOT_RUN = Map.of(
            "mvn verify",
            "it would run this test in itself",
            "mvn -q -pl client -am -DskipTests install",
            "it writes into the repository of whoever builds");

    /** Languages of blocks that hold no commands. */
    private static final Map<String, String> NOT_COMMANDS = Map.of("text", "what a program prints");

    /** In seconds. */
    private static final String PATIENCE = "300";

    private static final Set<String> OF_CLIENTS = Set.of("counter", "set");

    /** Programs that README names and this machine lacks. */
    private final Set<String> missing = new TreeSet<>();

    private final Set<String> left = new TreeSet<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init") // the test begins with it
    private ReadmeProgram programs;

    private int port;

    /** The command that ends the lab. It comes last here: the clients of the other blocks need the lab. */
    private String down = "";

    @Test
    void everyBlockDoesWhatItSays() throws Exception {
        programs = new ReadmeProgram(folder);
        List<ReadmeBlock> blocks = ReadmeBlock.all();
        assertThat(blocks.stream().map(ReadmeBlock::language))
                .contains("sh", "java", "js", "python")
                .hasSizeGreaterThan(5);
        try {
            for (ReadmeBlock block : blocks) {
                run(block);
            }
            succeed(words(down));
        } finally {
            CommandRun.of("down", folder.resolve("lab").toString(), "--timeout", "1", "--force");
            programs.close();
        }
        assertThat(left).isEqualTo(NOT_RUN.keySet());
        assumeTrue(missing.isEmpty(), () -> "blocks of README that were not run, for this is not here: " + missing);
    }

    private void run(ReadmeBlock block) throws IOException, InterruptedException {
        switch (block.language()) {
            case "sh" -> {
                for (String command : block.commands()) {
                    run(command);
                }
            }
            case "java" -> programs.java(block.text());
            case "js" -> {
                if (isHere("node", "node", "--eval", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)")) {
                    programs.javaScript(block.text());
                }
            }
            case "python" -> {
                if (isHere("python3 with cryptography", "python3", "-c", "import asyncio, cryptography.x509")) {
                    programs.python(block.text());
                }
            }
            default -> assertThat(NOT_COMMANDS).as(block.text()).containsKey(block.language());
        }
    }

    private void run(String command) throws IOException, InterruptedException {
        if (NOT_RUN.containsKey(command)) {
            left.add(command);
        } else if (command.startsWith("curl ")) {
            curl(command);
        } else if (command.equals("./aspas demo")) {
            demo();
        } else if (command.startsWith("./aspas init lab")) {
            init(command);
        } else if (command.startsWith("./aspas down")) {
            down = command;
        } else {
            assertThat(command).startsWith("./aspas ");
            succeed(words(command));
        }
    }

    /** The console that a terminal gets. */
    private void demo() throws IOException, InterruptedException {
        String printed = programs.ended(
                JavaCommand.of(List.of(), List.of("demo", "--console")), text -> text.contains("Ctrl-C ends it."));
        assertThat(printed.lines().filter(line -> line.contains("http://"))).hasSize(1);
    }

    /** As it stands, and once more with ports that are free. */
    private void init(String command) throws IOException {
        String[] literal = words(command);
        literal[1] = folder.resolve("literal").toString();
        succeed(literal);
        FreePorts ports = FreePorts.choose();
        port = ports.clientPort(0);
        succeed(ports.init(folder.resolve("lab").toString()));
    }

    private static void succeed(String... words) {
        CommandRun run = CommandRun.of(words);
        assertThat(run.exit())
                .as("%s%n%s%s", String.join(" ", words), run.out(), run.errors())
                .isZero();
    }

    private void curl(String line) throws IOException, InterruptedException {
        if (isHere("curl", "curl", "--version")) {
            List<String> command =
                    new ArrayList<>(ReadmeBlock.words(line.replace("localhost:8100", "127.0.0.1:" + port)));
            command.addAll(1, List.of("--silent", "--show-error", "--fail"));
            programs.run(command);
        }
    }

    private boolean isHere(String name, String... command) throws InterruptedException {
        boolean here = programs.isHere(command);
        if (!here) {
            missing.add(name);
        }
        return here;
    }

    /** A command's words without {@code ./aspas}; {@code lab} and files are in the test's folder. */
    private String[] words(String command) {
        List<String> words = new ArrayList<>();
        for (String word : ReadmeBlock.words(command)) {
            boolean file = word.equals("lab") || word.endsWith(".cbor");
            words.add(file ? folder.resolve(word).toString() : word);
            if (word.equals("--wait")) {
                words.add(PATIENCE);
            }
        }
        if (OF_CLIENTS.contains(words.get(1))) {
            words.addAll(List.of("--timeout", PATIENCE));
        }
        return words.subList(1, words.size()).toArray(String[]::new);
    }
}
