package org.aspas.emulab.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code aspas help}: what a command is for and what it takes. */
@Command(
        name = "help",
        description = "Show the purpose and the options of a command.",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas help", "  aspas help counter get"})
final class HelpCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command to explain (default: list all).")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        CommandLine shown = spec.commandLine().getParent();
        for (String word : words) {
            CommandLine next = shown.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(shown, List.of(word));
            }
            shown = next;
        }
        Aspas.usage(shown, spec.commandLine().getOut());
        return ExitCodes.DONE;
    }
}
