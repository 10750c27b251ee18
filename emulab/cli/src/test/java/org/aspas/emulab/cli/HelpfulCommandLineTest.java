package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line helps: each command offers its own options, mistypings are met with what was meant, and shells complete. */
class HelpfulCommandLineTest {
    private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

    @TempDir
    Path folder;

    private static String help(String... words) {
        CommandRun run = CommandRun.of(
                Stream.concat(Stream.of(words), Stream.of("--help")).toArray(String[]::new));
        assertThat(run.exit()).as(run.errors()).isZero();
        return run.out();
    }

    @Test
    void eachCommandOffersItsOwnOptions() {
        assertThat(help("counter", "inc"))
                .contains("--by", "--confirm", "--tau", "kept")
                .doesNotContain("--level");
        assertThat(help("counter", "get"))
                .contains("--level", "local|certified", "--proof")
                .doesNotContain("--by", "--confirm", "--tau");
        assertThat(help("set", "clear")).contains("KEY").doesNotContain("ELEMENT", "--proof");
        assertThat(help("set", "has")).contains("ELEMENT", "--proof");
        CommandRun wrong = CommandRun.of("counter", "get", "k", "--by", "2");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.errors()).contains("--by").contains("aspas counter get --help");
    }

    @Test
    void theFirstHelpNamesEachCommandOnce() {
        List<String> lines = CommandRun.of("--help").out().lines().toList();
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
        for (String command : Aspas.commandLine(new Aspas(), NOWHERE, NOWHERE)
                .getSubcommands()
                .keySet()) {
            assertThat(lines.stream().filter(line -> line.startsWith("  " + command + " ")))
                    .as(command)
                    .hasSize(1);
        }
    }

    /** The list of all commands is the first help's: below it, each group lists its own, with what they are for. */
    @Test
    void theHelpOfACommandListsItsOwnCommandsAlone() {
        assertThat(help("counter"))
                .containsPattern("\n\nCommands:\n(.*\n)*  inc +Add to a counter")
                .doesNotContain("Try it:");
        assertThat(help("emulab")).containsPattern("\n +tau +Show waiting").doesNotContain("Try it:");
        assertThat(help("counter", "inc")).doesNotContain("Try it:");
        assertThat(help("init")).doesNotContain("Try it:");
    }

    /** Its lines hold keys and elements. */
    @Test
    void theShellsHistoryIsForItsOwnerAlone() throws Exception {
        Path file = folder.resolve("history");
        assertThat(ShellCommand.history(file)).isEqualTo(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.writeString(file, "counter inc secret\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        ShellCommand.history(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .as("one that an earlier build left")
                .isEqualTo("rw-------");
        assertThat(file).hasContent("counter inc secret\n");
    }

    /** Whatever one of its commands can end with stands in the help of a command, too. */
    @Test
    void thereIsOneListOfExitCodes() {
        String codes = help("counter", "inc").replaceAll("(?s).*Exit codes:|Example.*", "");
        assertThat(codes).contains("5   ", "6   ", "7   ");
        assertThat(help("counter")).contains(codes.strip());
        assertThat(help("set")).contains(codes.strip());
    }

    @Test
    void helpIsACommand() {
        assertThat(CommandRun.of("help").out())
                .isEqualTo(CommandRun.of("--help").out());
        CommandRun nested = CommandRun.of("help", "counter", "get");
        assertThat(nested.exit()).isZero();
        assertThat(nested.out()).isEqualTo(help("counter", "get"));
        CommandRun unknown = CommandRun.of("help", "cuonter");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.errors()).contains("did you mean counter");
    }

    @Test
    void mistypingsAreMetWithWhatWasMeant() {
        for (List<String> one : List.of(
                List.of("sttaus", "status"),
                List.of("counter gett k", "get"),
                List.of("counter inc k --confrim", "--confirm"),
                List.of("set get k --levle", "--level"))) {
            CommandRun run = CommandRun.of(one.get(0).split(" "));
            assertThat(run.exit()).as(one.get(0)).isEqualTo(2);
            assertThat(run.errorLines()).as(one.get(0)).hasSize(1);
            assertThat(run.errors()).as(one.get(0)).contains("did you mean " + one.get(1));
        }
    }

    /** What Bash itself makes of the script. */
    private List<String> completions(String... words) throws IOException, InterruptedException {
        CommandRun script = CommandRun.of("completion", "bash");
        assertThat(script.exit()).as(script.errors()).isZero();
        Path file = Files.writeString(folder.resolve("aspas.bash"), script.out());
        String quoted =
                String.join(" ", Stream.of(words).map(word -> "'" + word + "'").toList());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + file + "; complete -p aspas >&2 || exit 9; COMP_WORDS=(" + quoted
                                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_aspas; printf '%s\\n'"
                                + " \"${COMPREPLY[@]}\"")
                .redirectError(folder.resolve("errors").toFile())
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(bash.exitValue())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        return out.lines().map(String::strip).toList();
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assertThat(completions("aspas", "sta")).containsExactly("status");
        assertThat(completions("aspas", "counter", "")).contains("inc", "dec", "get");
        assertThat(completions("aspas", "counter", "get", "--le")).containsExactly("--level");
        assertThat(completions("aspas", "counter", "get", "--level", "")).containsExactly("local", "certified");
        assertThat(completions("aspas", "counter", "inc", "--le")).containsExactly("");
        assertThat(CommandRun.of("completion", "zsh").out())
                .startsWith("autoload")
                .contains("_complete_aspas");
        assertThat(CommandRun.of("completion", "fish").exit()).isEqualTo(2);
    }
}
