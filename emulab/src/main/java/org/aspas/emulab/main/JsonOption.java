package org.aspas.emulab.main;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The {@code --json} flag of commands that a program might read. */
final class JsonOption {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--json", description = "Print JSON.")
    private boolean wanted;

    boolean wanted() {
        return wanted;
    }

    void print(JsonNode node) throws IOException {
        System.out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node));
    }
}
