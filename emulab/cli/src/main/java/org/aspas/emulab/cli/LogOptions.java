package org.aspas.emulab.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.aspas.client.deployment.DeploymentFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * How a node's process logs. Logback is configured before picocli reads the command line, so {@link #prepare} reads what concerns
 * the log first; picocli checks it and explains it.
 */
final class LogOptions {
    private static final String FORMAT = "--log-format";

    /** How lines of the log look. */
    enum Format {
        TEXT,
        /** A JSON object a line, for programs. */
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = FORMAT,
            paramLabel = "FORMAT",
            description = "Format of the log: ${COMPLETION-CANDIDATES} (default: $ASPAS_LOG_FORMAT, else text).")
    private @Nullable Format format;

    /** The option as it was given, for another process. */
    List<String> arguments() {
        return format == null ? List.of() : List.of(FORMAT, format.toString());
    }

    /**
     * Sets what Logback's configuration asks for: which node this process is, where its log goes, and its format. A node logs to a
     * file of its own unless the environment names one; DIR comes first among its words.
     */
    static void prepare(String[] arguments) {
        List<String> words = new ArrayList<>();
        for (String argument : arguments) {
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            words.addAll(
                    equals < 0
                            ? List.of(argument)
                            : List.of(argument.substring(0, equals), argument.substring(equals + 1)));
        }
        String given = Objects.requireNonNullElse(
                after(words, FORMAT), Objects.requireNonNullElse(System.getenv("ASPAS_LOG_FORMAT"), ""));
        boolean json = given.equalsIgnoreCase(Format.JSON.toString());
        System.setProperty("ASPAS_LOG_FORMAT", (json ? Format.JSON : Format.TEXT).toString());
        String index = after(words, "--index");
        boolean isNode = words.size() > 1 && List.of("appserver", "bftserver").contains(words.get(0));
        if (isNode && index != null) {
            String node = words.get(0) + "-" + index;
            System.setProperty("ASPAS_NODE", node);
            Path deployment = Path.of(words.get(1));
            if (System.getenv("ASPAS_LOG_FILE") == null
                    && Files.exists(deployment.resolve(DeploymentFolder.DESCRIPTOR))) {
                System.setProperty(
                        "ASPAS_LOG_FILE",
                        deployment.resolve("logs").resolve(node + ".log").toString());
            }
        }
    }

    private static @Nullable String after(List<String> words, String option) {
        int at = words.indexOf(option);
        return at < 0 || at + 1 >= words.size() ? null : words.get(at + 1);
    }
}
