package org.aspas.emulab.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.client.deployment.TextFile;
import org.aspas.emulab.experiments.Terminal;
import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas shell}: commands one after another, in one process, with one connection. */
@Command(
        name = "shell",
        description = {
            "Run commands one after another in one process over one connection.",
            "",
            "Words are quoted as in a POSIX shell: 'a b', \"a b\", $'a\\nb'; '' is an empty word. A backslash outside of quotation marks"
                    + " escapes a space, a quotation mark, $ and itself, and otherwise stands for itself.",
            "",
            "On a terminal, Tab completes words, and ~/.aspas-history keeps the lines. Otherwise the shell reads one"
                    + " command per line from standard input, skips empty lines and those that start with #, and"
                    + " continues after a failure; its exit code is that of the first command that failed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas shell --dir lab --server 2",
            "  printf 'counter inc a\\ncounter get a\\n' | aspas shell --dir lab"
        })
final class ShellCommand implements Callable<Integer> {
    /** What a shell can do: all that talks to servers and ends by itself. */
    @Command(
            name = "",
            description = "Commands; 'exit' ends the shell.",
            synopsisSubcommandLabel = "COMMAND",
            subcommands = {
                CounterCommand.class,
                SetCommand.class,
                StatusCommand.class,
                TopCommand.class,
                CertificateCommand.class,
                EvidenceCommand.class,
                BlacklistCommand.class,
                PendingCommand.class,
                HelpCommand.class
            })
    private static final class Commands implements ClientSource, Runnable {
        private final ClientPool pool;

        Commands(ClientPool pool) {
            this.pool = pool;
        }

        @Override
        public ClientPool clients() {
            return pool;
        }

        @Override
        public void run() {
            // An empty line does nothing.
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Mixin
    private TrustOption trust = new TrustOption();

    @Option(
            names = "--server",
            paramLabel = "INDEX",
            description = "Ask only this appserver (default: 0, or another one that answers).")
    private @Nullable Integer server;

    @Mixin
    private ClientNameOption client = new ClientNameOption();

    @Option(
            names = "--timeout",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "Seconds to wait for an answer, from 1 (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Override
    public Integer call() throws Exception {
        String name = deployment.directory().descriptor().name();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter errors = spec.commandLine().getErr();
        try (ClientPool pool = new ClientPool()) {
            return Terminal.of(out).isInteractive() ? talk(pool, name, out, errors) : script(pool, out, errors);
        }
    }

    /** A command line for one line: picocli keeps what it parsed. */
    private CommandLine fresh(ClientPool pool, PrintWriter out, PrintWriter errors) {
        CommandLine line = Aspas.commandLine(new Commands(pool), out, errors);
        line.setDefaultValueProvider(defaults());
        return line;
    }

    /** The shell's own options are the defaults of its commands. */
    private IDefaultValueProvider defaults() {
        Map<String, Optional<?>> given = Map.of(
                "--dir", Optional.of(deployment.directory().root()),
                "--tls-ca", trust.named(),
                "--server", Optional.ofNullable(server),
                "--client", Optional.of(client.name()),
                "--timeout", Optional.of(timeoutSeconds));
        return (ArgSpec argument) -> argument instanceof OptionSpec option
                ? given.getOrDefault(option.longestName(), Optional.empty())
                        .map(Object::toString)
                        .orElse(null)
                : null;
    }

    private int script(ClientPool pool, PrintWriter out, PrintWriter errors) throws IOException {
        InputStream in = new BufferedInputStream(System.in);
        int first = ExitCodes.DONE;
        for (byte[] bytes = line(in); bytes != null; bytes = line(in)) {
            Optional<String> line = TextFile.decode(bytes);
            int code = ExitCodes.DONE;
            if (line.isEmpty()) {
                errors.println("aspas: a line is not UTF-8: " + new String(bytes, StandardCharsets.UTF_8));
                code = ExitCodes.USAGE;
            } else if (isEnd(line.get())) {
                return first;
            } else if (!line.get().isBlank() && !line.get().strip().startsWith("#")) {
                code = run(line.get(), pool, out, errors);
            }
            first = first == ExitCodes.DONE ? code : first;
            if (out.checkError()) {
                return first;
            }
        }
        return first;
    }

    /** The bytes of the next line, without its end; null behind the last. */
    private static byte @Nullable [] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        byte[] bytes = line.toByteArray();
        return bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
    }

    /** Completes words by its own rules; whether a line is whole is said by those of {@link ShellWords}. */
    private static Parser parser() {
        return new DefaultParser() {
            @Override
            public ParsedLine parse(String line, int cursor, ParseContext context) {
                if (context == ParseContext.ACCEPT_LINE
                        && ShellWords.split(line).isEmpty()) {
                    throw new EOFError(-1, -1, "a quotation mark is not closed");
                }
                return super.parse(line, cursor, ParseContext.COMPLETE);
            }
        };
    }

    private static boolean isEnd(String line) {
        return List.of("exit", "quit").contains(line.strip());
    }

    private int run(String line, ClientPool pool, PrintWriter out, PrintWriter errors) {
        Optional<List<String>> words = ShellWords.split(line);
        if (words.isEmpty()) {
            errors.println("aspas: a quotation mark is not closed");
            return ExitCodes.USAGE;
        }
        return fresh(pool, out, errors).execute(words.get().toArray(String[]::new));
    }

    private int talk(ClientPool pool, String name, PrintWriter out, PrintWriter errors) throws IOException {
        try (org.jline.terminal.Terminal terminal =
                TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .parser(parser())
                    .appName("aspas")
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true) // It takes ! and backslashes away.
                    .completer((ignored, line, candidates) ->
                            complete(fresh(pool, out, errors).getCommandSpec(), line, candidates))
                    .variable(
                            LineReader.HISTORY_FILE,
                            history(Path.of(System.getProperty("user.home"), ".aspas-history")))
                    .build();
            Thread talking = Thread.currentThread();
            terminal.handle(Signal.INT, signal -> talking.interrupt()); // Ctrl-C ends a command, not the shell.
            while (true) {
                try {
                    String line = reader.readLine(name + "> ");
                    if (isEnd(line)) {
                        return ExitCodes.DONE;
                    } else if (!line.isBlank()) {
                        run(line, pool, out, errors);
                        Thread.interrupted(); // One that came too late is for no other command.
                    }
                } catch (UserInterruptException interrupted) {
                    // The line is given up.
                } catch (EndOfFileException end) {
                    return ExitCodes.DONE;
                }
            }
        }
    }

    /** Where lines are remembered, for their owner alone: they hold keys and elements. One of an earlier build is closed, too. */
    static Path history(Path file) {
        try {
            if (Files.notExists(file)) {
                Files.createFile(file, FileAccess.OWNER.ofFile(file));
            } else if (Files.isRegularFile(file)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            }
        } catch (IOException | UnsupportedOperationException elsewhere) {
            // A shell without a history is one all the same.
        }
        return file;
    }

    private static void complete(CommandSpec commands, ParsedLine line, List<Candidate> candidates) {
        List<CharSequence> found = new ArrayList<>();
        String[] words = line.words().toArray(String[]::new);
        AutoComplete.complete(commands, words, line.wordIndex(), 0, line.cursor(), found);
        found.forEach(text -> candidates.add(new Candidate(text.toString())));
    }
}
