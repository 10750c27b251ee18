package org.aspas.emulab.cli;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.aspas.appserver.node.SoftwareVersion;
import org.aspas.client.deployment.ProgramArguments;
import org.aspas.emulab.experiments.TerminalWriter;
import org.aspas.emulab.experiments.report.RunReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The launcher: {@code ./aspas COMMAND}. A user's mistake is one line on standard error, never a stack trace. */
@Command(
        name = "aspas",
        mixinStandardHelpOptions = true,
        description = "A geo-replicated CRDT service that tolerates and convicts Byzantine servers.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas demo",
            "  aspas init lab",
            "  aspas up lab --wait",
            "  aspas counter inc likes/42 --dir lab --confirm",
            "  aspas status --dir lab",
            "",
            "'aspas COMMAND --help' explains one. Most commands print JSON with --json;",
            "demo, bench and simulate write it to a file with --json FILE.",
            "",
            "Environment:",
            "  ASPAS_DIR        the deployment's directory, if --dir is not given",
            "  ASPAS_LOG_FILE   the log file (default: .aspas/aspas.log, for a node",
            "                   DIR/logs/NODE.log)",
            "  ASPAS_LOG_FORMAT json writes one JSON object per line (default: text)",
            "  ASPAS_LOG_TO     STDERR writes the log to the terminal instead",
            "  ASPAS_LOG_LEVEL  the lowest level to log, such as DEBUG (default: INFO)",
            "  ASPAS_JAVA_OPTS  additional JVM options, such as -Xmx1g",
            "  JAVA_HOME        the Java to use, 17 or newer (default: the one on the PATH)"
        })
public final class Aspas {
    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            ConsoleCommand.class,
            BenchCommand.class,
            ClusterCommand.class,
            SimulateCommand.class,
            WorldCommand.class,
            EmulabCommand.class,
            InitCommand.class,
            KeyCommand.class,
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
            HelpCommand.class);

    /** They show or complete all commands. */
    private static final Set<Class<?>> NEED_ALL = Set.of(HelpCommand.class, CompletionCommand.class);

    /** What the commands are for, in the order of the help; gatling is the launcher's. */
    private static final String COMMAND_LIST = """

            Try it:
              demo        Run all three tiers in one process under load, in your browser
              simulate    Run servers in virtual time, with faults and attackers

            Run a deployment:
              init        Make the keys and the signed descriptor of a new deployment
              key         Print a client's public key, for init --admit
              up          Start the nodes of this machine as processes
              down        Stop the nodes that up started
              status      Show the state of each node
              top         Show the activity of the servers as a live table
              console     Show it as a page in your browser
              cluster     Run all servers of a new deployment in this process
              appserver   Run one appserver in this process
              bftserver   Run one bftserver in this process
              fsck        Check the stores of nodes and clients on this machine
              backup      Write the certified state to a file
              restore     Make a new deployment from a backup

            Use it:
              counter     Change or read a counter
              set         Change or read an add-wins set
              pending     List, resend or drop updates that no certificate covers yet
              shell       Run many commands over one connection

            Verify:
              certificate Show or verify a certificate, or the proof of a value
              snapshot    Verify a backup, or the state that a server offers
              evidence    Verify a proof of guilt
              blacklist   List the excluded servers, since when and why

            Measure:
              bench       Run one workload on servers of its own, as fast as they answer
              gatling     Load a running deployment with Gatling (built on first use)
              world       Run a deployment with the delays of a world, or test them
              emulab      Run experiments with plots, find the best tau for your load

            Help:
              help        Explain a command, such as: aspas help counter inc
              completion  Print a completion script for your shell
            """;

    /** As /version of an appserver says it. */
    private static final String VERSION = "aspas " + SoftwareVersion.text();

    Aspas() {}

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
        CommandLine line = commandLine(new Aspas(), needed(arguments), out, errors);
        // Of this command alone: CommandLine.setHelpSectionMap would give the list to those below it, too.
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        Map<String, CommandLine.IHelpSectionRenderer> sections = new HashMap<>(usage.sectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> COMMAND_LIST);
        usage.sectionMap(sections);
        if (arguments.length == 0) {
            usage(line, errors);
            return ExitCodes.USAGE;
        }
        return line.execute(arguments);
    }

    /** The commands of an annotated object, with help, exit codes and errors as all commands have them; of {@link Aspas} all. */
    static CommandLine commandLine(Object root, PrintWriter out, PrintWriter errors) {
        return commandLine(root, root instanceof Aspas ? COMMANDS : List.of(), out, errors);
    }

    /** The command that is named: to take all apart takes longer than most take to run. All where another one is named, or none. */
    private static List<Class<?>> needed(String[] arguments) {
        return COMMANDS.stream()
                .filter(one -> arguments.length > 0 && name(one).equals(arguments[0]))
                .filter(one -> !NEED_ALL.contains(one))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(COMMANDS);
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static CommandLine commandLine(Object root, List<Class<?>> commands, PrintWriter out, PrintWriter errors) {
        CommandLine line = new CommandLine(root);
        commands.forEach(one -> line.addSubcommand(one));
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
        usage.commandListHeading("%nCommands:%n");
        if (usage.exitCodeList().isEmpty()) {
            usage.exitCodeListHeading("%nExit codes:%n").exitCodeList(exitCodes(spec));
        }
        command.getSubcommands().values().forEach(Aspas::complete);
    }

    /** What a command can end with; one that has commands below it can end as they do. */
    private static Map<String, String> exitCodes(CommandSpec spec) {
        Map<String, String> codes = new TreeMap<>(Comparator.comparingInt(Integer::parseInt));
        codes.put(Integer.toString(ExitCodes.DONE), "success");
        codes.put(Integer.toString(ExitCodes.FAILED), "failure, or a check found something wrong");
        codes.put(Integer.toString(ExitCodes.USAGE), "the command line or a file that it names is wrong");
        codes.put(Integer.toString(ExitCodes.UNREACHABLE), "a server cannot be reached or does not answer in time");
        boolean top = spec.parent() == null;
        if (top) {
            codes.put(Integer.toString(RunReport.INVALID), "a measurement is invalid because the machine was too busy");
            codes.put(Integer.toString(ExitCodes.HALTED), "a server halted; restart it to continue");
        }
        if (top || spec.findOption("--dir") != null && spec.findOption("--client") != null) {
            codes.put(
                    Integer.toString(ExitCodes.DAMAGED), "a store, or the client's record, is damaged: see aspas fsck");
        }
        if (top || spec.findOption("--confirm") != null) {
            codes.put(
                    Integer.toString(ExitCodes.UNCONFIRMED),
                    "with --confirm: the update was answered, but no certificate covered it in time");
            codes.put(
                    Integer.toString(ExitCodes.KEPT),
                    "no server answered the update; it is kept, and the client's next command sends it (aspas pending)");
        }
        if (!top) {
            spec.subcommands()
                    .values()
                    .forEach(below -> exitCodes(below.getCommandSpec()).forEach(codes::putIfAbsent));
        }
        return codes;
    }
}
