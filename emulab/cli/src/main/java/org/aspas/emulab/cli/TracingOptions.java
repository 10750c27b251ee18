package org.aspas.emulab.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the spans of a node go. What stands in the variables of OpenTelemetry is for nodes whose command line says nothing. */
final class TracingOptions {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String SERVICE = "OTEL_SERVICE_NAME";

    @Option(
            names = "--otlp-endpoint",
            paramLabel = "URL",
            description = "Send spans by OpenTelemetry (OTLP over HTTP) to /v1/traces below this URL, such as"
                    + " http://127.0.0.1:4318 (default: $" + ENDPOINT + ", and no tracing without it).")
    private @Nullable String endpoint;

    @Option(
            names = "--trace-ratio",
            paramLabel = "R",
            description = "Share of the traces to record, 0 to 1 (default: 0.01). Requests with a traceparent follow"
                    + " the decision of their caller.")
    private @Nullable Double ratio;

    /**
     * The settings; null for no tracing.
     *
     * @throws ParameterException when the URL is none, or the ratio is outside its range
     */
    @Nullable
    TracingSettings settings(CommandSpec spec) {
        return settings(spec, System.getenv());
    }

    /** As {@link #settings(CommandSpec)}, with these variables. */
    @Nullable
    TracingSettings settings(CommandSpec spec, Map<String, String> variables) {
        String inherited = variables.getOrDefault(ENDPOINT, "");
        if (endpoint == null && inherited.isBlank()) {
            if (ratio != null) {
                throw new ParameterException(
                        spec.commandLine(), "--trace-ratio needs --otlp-endpoint URL, or $" + ENDPOINT);
            }
            return null;
        }
        String name = variables.getOrDefault(SERVICE, "");
        try {
            return TracingSettings.of(
                    endpoint == null ? inherited : endpoint,
                    ratio == null ? TracingSettings.USUAL_RATIO : ratio,
                    name.isBlank() ? null : name);
        } catch (IllegalArgumentException wrong) {
            String where = endpoint != null ? "--otlp-endpoint" : "$" + ENDPOINT;
            throw new ParameterException(spec.commandLine(), where + " or --trace-ratio: " + wrong.getMessage(), wrong);
        }
    }

    /** The same options for the command line of another process, which has the same variables. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (endpoint != null) {
            arguments.addAll(List.of("--otlp-endpoint", endpoint));
        }
        if (ratio != null) {
            arguments.addAll(List.of("--trace-ratio", ratio.toString()));
        }
        return List.copyOf(arguments);
    }
}
