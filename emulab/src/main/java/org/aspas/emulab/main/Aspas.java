package org.aspas.emulab.main;

import java.io.PrintStream;
import java.util.concurrent.CompletionException;
import org.aspas.client.api.AspasException;
import org.aspas.emulab.demo.BenchCommand;
import org.aspas.emulab.demo.DemoCommand;
import org.aspas.emulab.deployment.DeploymentDirectory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The launcher: {@code ./aspas COMMAND}. A user's mistake is one line on standard error, never a stack trace. */
@Command(
        name = "aspas",
        mixinStandardHelpOptions = true,
        version = "aspas 0.1.0-SNAPSHOT",
        description = "A geo-replicated CRDT service that stays honest when servers do not.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            BenchCommand.class,
            InitCommand.class,
            AppserverCommand.class,
            BftserverCommand.class,
            CounterCommand.class,
            SetCommand.class,
            StatusCommand.class,
            CertificateCommand.class
        },
        footer = {
            "",
            "Exit codes: 0 done, 1 failed or found wrong, 2 wrong usage, 3 unreachable.",
            "",
            "Examples:",
            "  aspas demo --seconds 10",
            "  aspas init lab && aspas counter inc likes/42 --dir lab"
        })
public final class Aspas {
    private Aspas() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.err));
    }

    /** Runs one command; the exit code is returned. */
    static int run(String[] arguments, PrintStream errors) {
        CommandLine line = new CommandLine(new Aspas());
        line.getSubcommands().values().forEach(Aspas::withHelp);
        line.setUsageHelpAutoWidth(true);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, errors));
        if (arguments.length == 0) {
            line.usage(errors);
            return ExitCodes.USAGE;
        }
        return line.execute(arguments);
    }

    private static void withHelp(CommandLine command) {
        if (command.getCommandSpec().mixins().get("mixinStandardHelpOptions") == null) {
            command.getCommandSpec().mixinStandardHelpOptions(true);
        }
        command.getSubcommands().values().forEach(Aspas::withHelp);
    }

    private static int explain(Exception failure, PrintStream errors) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof java.util.concurrent.ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        errors.println("aspas: " + message.lines().findFirst().orElse(message));
        return code(cause);
    }

    private static int code(Throwable cause) {
        if (cause instanceof AspasException.Unreachable
                || cause instanceof AspasException.TimedOut
                || cause instanceof java.util.concurrent.TimeoutException) {
            return ExitCodes.UNREACHABLE;
        }
        boolean usage =
                cause instanceof IllegalArgumentException || cause instanceof DeploymentDirectory.UnusableDirectory;
        return usage ? ExitCodes.USAGE : ExitCodes.FAILED;
    }
}
