package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import org.aspas.client.api.Tolerance;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code --json} flag of commands that a program might read. */
final class JsonOption {
    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean wanted;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    boolean wanted() {
        return wanted;
    }

    /**
     * τ as JSON has it.
     *
     * @param tolerance from 1, or {@link Tolerance#UNBOUNDED}, which is null
     */
    static @Nullable Long tau(long tolerance) {
        return tolerance == Tolerance.UNBOUNDED ? null : Long.valueOf(tolerance);
    }

    boolean verbose() {
        OptionSpec verbose = command.commandLine().getCommandSpec().findOption("--verbose");
        return verbose != null && Boolean.TRUE.equals(verbose.getValue());
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    void print(JsonNode node) throws IOException {
        out().println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node));
    }
}
