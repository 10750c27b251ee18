package org.aspas.emulab.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas completion}: a script with which a shell completes commands and options. */
@Command(
        name = "completion",
        description = "Print a script that lets your shell complete commands and options.",
        footerHeading = "%nExamples:%n",
        footer = {"  source <(aspas completion bash)", "  aspas completion zsh > ~/.aspas-completion.zsh"})
final class CompletionCommand implements Callable<Integer> {
    enum Shell {
        BASH,
        /** The Z shell, which runs Bash's completions. */
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "The shell: ${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        if (shell == Shell.ZSH) {
            spec.commandLine().getOut().println("autoload -U +X compinit && compinit -u");
        }
        spec.commandLine().getOut().print(AutoComplete.bash("aspas", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return ExitCodes.DONE;
    }
}
