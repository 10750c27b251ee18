package org.aspas.emulab.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.aspas.emulab.experiments.Terminal;
import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.SyntaxError;
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
            "Take commands one after another, in one process, with one connection.",
            "",
            "With a terminal it completes words by Tab and remembers lines in ~/.aspas-history. Otherwise it takes one command a"
                    + " line from standard input, skips empty lines and those that begin with #, and goes on after a failure;"
                    + " its exit code is that of the first command that failed."
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
            description = "Ask this appserver and no other (default: 0, or another one that answers).")
    private @Nullable Integer server;

    @Mixin
    private ClientNameOption client = new ClientNameOption();

    @Option(
            names = "--timeout",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "How long to wait for an answer, from 1 (default: ${DEFAULT-VALUE}).")
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
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Parser parser = parser();
        int first = ExitCodes.DONE;
        for (String line = lines.readLine(); line != null && !isEnd(line); line = lines.readLine()) {
            if (!line.isBlank() && !line.strip().startsWith("#")) {
                int code = run(parser, line, pool, out, errors);
                first = first == ExitCodes.DONE ? code : first;
            }
        }
        return first;
    }

    /** A quotation mark that is not closed is no end of a line. */
    private static Parser parser() {
        DefaultParser parser = new DefaultParser();
        parser.setEofOnUnclosedQuote(true);
        return parser;
    }

    private static boolean isEnd(String line) {
        return List.of("exit", "quit").contains(line.strip());
    }

    private int run(Parser parser, String line, ClientPool pool, PrintWriter out, PrintWriter errors) {
        List<String> words;
        try {
            words = parser.parse(line, line.length(), Parser.ParseContext.ACCEPT_LINE)
                    .words();
        } catch (EOFError open) {
            errors.println("aspas: a quotation mark is not closed");
            return ExitCodes.USAGE;
        } catch (SyntaxError wrong) {
            errors.println("aspas: " + wrong.getMessage());
            return ExitCodes.USAGE;
        }
        List<String> given = words.stream().filter(word -> !word.isEmpty()).toList();
        return fresh(pool, out, errors).execute(given.toArray(String[]::new));
    }

    private int talk(ClientPool pool, String name, PrintWriter out, PrintWriter errors) throws IOException {
        try (org.jline.terminal.Terminal terminal =
                TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .parser(parser())
                    .appName("aspas")
                    .completer((ignored, line, candidates) ->
                            complete(fresh(pool, out, errors).getCommandSpec(), line, candidates))
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".aspas-history"))
                    .build();
            Thread talking = Thread.currentThread();
            terminal.handle(Signal.INT, signal -> talking.interrupt()); // Ctrl-C ends a command, not the shell.
            while (true) {
                try {
                    String line = reader.readLine(name + "> ");
                    if (isEnd(line)) {
                        return ExitCodes.DONE;
                    } else if (!line.isBlank()) {
                        run(reader.getParser(), line, pool, out, errors);
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

    private static void complete(CommandSpec commands, ParsedLine line, List<Candidate> candidates) {
        List<CharSequence> found = new ArrayList<>();
        String[] words = line.words().toArray(String[]::new);
        AutoComplete.complete(commands, words, line.wordIndex(), 0, line.cursor(), found);
        found.forEach(text -> candidates.add(new Candidate(text.toString())));
    }
}
