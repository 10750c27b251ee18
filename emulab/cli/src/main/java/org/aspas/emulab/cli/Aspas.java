package org.aspas.emulab.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.aspas.appserver.main.SoftwareVersion;
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
        LogOptions.prepare(arguments);
        System.exit(run(
                arguments,
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8)));
    }

    /** Runs one command; the exit code is returned. */
    static int run(String[] arguments, PrintWriter out, PrintWriter errors) {
        CommandLine line = commandLine(new Aspas(), out, errors);
        if (arguments.length == 0) {
            line.usage(errors);
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
        line.setOut(out);
        line.setErr(errors);
        UserErrors.install(line);
        return line;
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
