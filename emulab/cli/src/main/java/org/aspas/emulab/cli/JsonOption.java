package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code --json} flag of commands that a program might read. */
final class JsonOption {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean wanted;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    boolean wanted() {
        return wanted;
    }

    /** Where the command prints. */
    PrintWriter out() {
        return command.commandLine().getOut();
    }

    void print(JsonNode node) throws IOException {
        out().println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node));
    }
}
