package org.aspas.emulab.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.aspas.appserver.main.SoftwareVersion;
import org.aspas.client.deployment.ProgramArguments;
import org.aspas.emulab.experiments.TerminalWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The launcher: {@code ./aspas COMMAND}. A user's mistake is one line on standard error, never a stack trace. */
@Command(
        name = "aspas",
        mixinStandardHelpOptions = true,
        description = "A geo-replicated CRDT service that stays honest when servers do not.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            ConsoleCommand.class,
            BenchCommand.class,
            ClusterCommand.class,
            SimulateCommand.class,
            WorldCommand.class,
            EmulabCommand.class,
            InitCommand.class,
            AppserverCommand.class,
            BftserverCommand.class,
            UpCommand.class,
            DownCommand.class,
            FsckCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            SnapshotCommand.class,
            CounterCommand.class,
            SetCommand.class,
            StatusCommand.class,
            CertificateCommand.class,
            EvidenceCommand.class,
            BlacklistCommand.class,
            PendingCommand.class,
            TopCommand.class,
            ShellCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas demo --seconds 10",
            "  aspas init lab",
            "  aspas counter inc likes/42 --dir lab --confirm",
            "  aspas status --dir lab --json",
            "",
            "'aspas COMMAND --help' tells more. init, up, down, fsck, backup, restore, snapshot,",
            "counter, set, status, top, certificate, evidence, blacklist, pending print JSON with --json;",
            "demo, bench, simulate write it to a file with --json FILE. 'aspas gatling' is built on its first",
            "use. 'aspas shell' keeps one process and one connection; 'aspas completion bash' prints a script.",
            "",
            "Environment:",
            "  ASPAS_DIR        the deployment's directory, where --dir is not given",
            "  ASPAS_LOG_FILE   where the log goes (default: .aspas/aspas.log; of a node DIR/logs/NODE.log)",
            "  ASPAS_LOG_FORMAT json writes a JSON object a line (default: text)",
            "  ASPAS_LOG_TO     STDERR writes the log to the terminal instead",
            "  ASPAS_LOG_LEVEL  how much of it, such as DEBUG (default: INFO)",
            "  ASPAS_JAVA_OPTS  more options for Java, such as -Xmx1g",
            "  JAVA_HOME        which Java, 17 or newer (default: that on the PATH)"
        })
public final class Aspas {
    /** As /version of an appserver says it. */
    private static final String VERSION = "aspas " + SoftwareVersion.text();

    Aspas() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        TerminalWriter out = TerminalWriter.out();
        TerminalWriter errors = TerminalWriter.err();
        System.exit(written(runExact(arguments, out, errors), out, errors));
    }

    private static int runExact(String[] arguments, TerminalWriter out, TerminalWriter errors) {
        String[] exact;
        try {
            exact = ProgramArguments.exact(arguments);
            LogOptions.prepare(exact);
        } catch (IllegalArgumentException notText) { // Also a path that the system's charset has no bytes for.
            UserErrors.print(errors, String.valueOf(notText.getMessage()));
            return ExitCodes.USAGE;
        }
        return run(exact, out, errors);
    }

    /** The exit code once all is written. A reader of a pipe that has gone ends a command quietly, a full disk does not. */
    private static int written(int code, TerminalWriter out, TerminalWriter errors) {
        boolean elsewhere = System.out.checkError();
        Optional<String> trouble = out.trouble();
        if (trouble.isEmpty() && !elsewhere) {
            return code;
        }
        if (out.isUnread()) {
            return code == ExitCodes.DONE ? ExitCodes.UNREAD : code;
        }
        UserErrors.print(errors, "standard output cannot be written: " + trouble.orElse("see above"));
        return code == ExitCodes.DONE ? ExitCodes.FAILED : code;
    }

    /** Runs one command; the exit code is returned. */
    static int run(String[] arguments, PrintWriter out, PrintWriter errors) {
        CommandLine line = commandLine(new Aspas(), out, errors);
        if (arguments.length == 0) {
            usage(line, errors);
            return ExitCodes.USAGE;
        }
        return line.execute(arguments);
    }

    /** The commands of an annotated object, with help, exit codes and errors as all commands have them. */
    static CommandLine commandLine(Object root, PrintWriter out, PrintWriter errors) {
        CommandLine line = new CommandLine(root);
        complete(line);
        line.setUsageHelpAutoWidth(true);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false); // A text may begin with @.
        CommandLine set = line.getSubcommands().get("set");
        if (set != null) {
            set.setAllowOptionsAsOptionParameters(true); // --text=--int is a text.
        }
        line.setExecutionStrategy(parsed -> {
            Integer helped = coloured(out, () -> CommandLine.executeHelpRequest(parsed));
            return helped != null ? helped : new CommandLine.RunLast().execute(parsed);
        });
        line.setOut(out);
        line.setErr(errors);
        UserErrors.install(line);
        return line;
    }

    /** Prints the help of a command. */
    static void usage(CommandLine command, PrintWriter out) {
        coloured(out, () -> {
            command.usage(out);
            return ExitCodes.DONE;
        });
    }

    /** Help has colours, which are commands for a terminal, and nothing that others wrote. */
    private static @Nullable Integer coloured(PrintWriter out, Supplier<@Nullable Integer> help) {
        return out instanceof TerminalWriter terminal ? terminal.commanding(help) : help.get();
    }

    /** Gives every command its help, version and list of exit codes, where it has none of its own. */
    private static void complete(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.mixins().get("mixinStandardHelpOptions") == null) {
            spec.mixinStandardHelpOptions(true);
        }
        spec.version(VERSION);
        UsageMessageSpec usage = spec.usageMessage();
        if (usage.exitCodeList().isEmpty()) {
            usage.exitCodeListHeading("%nExit codes:%n").exitCodeList(exitCodes(spec));
        }
        command.getSubcommands().values().forEach(Aspas::complete);
    }

    private static Map<String, String> exitCodes(CommandSpec spec) {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(Integer.toString(ExitCodes.DONE), "done");
        codes.put(Integer.toString(ExitCodes.FAILED), "it failed, or something was found to be wrong");
        codes.put(Integer.toString(ExitCodes.USAGE), "the command line or a file that it names is wrong");
        codes.put(Integer.toString(ExitCodes.UNREACHABLE), "a server cannot be reached or does not answer in time");
        if (spec.findOption("--confirm") != null) {
            codes.put(
                    Integer.toString(ExitCodes.UNCONFIRMED),
                    "with --confirm: the update is answered, and no certificate covered it in time");
            codes.put(
                    Integer.toString(ExitCodes.KEPT),
                    "no server answered the update; it is kept, and the client's next command sends it (aspas pending)");
        }
        return codes;
    }
}
