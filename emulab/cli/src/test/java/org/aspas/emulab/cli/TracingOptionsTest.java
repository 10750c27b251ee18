package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** Where spans go, as command lines and the variables of OpenTelemetry say it. */
class TracingOptionsTest {
    private static final Map<String, String> NONE = Map.of();

    @Command
    private static final class Some {
        @Mixin
        private TracingOptions tracing = new TracingOptions();
    }

    private static TracingSettings settings(Map<String, String> variables, String... arguments) {
        Some some = new Some();
        CommandLine line = new CommandLine(some);
        line.parseArgs(arguments);
        return some.tracing.settings(line.getCommandSpec(), variables);
    }

    @Test
    void thereIsNoTracingUnlessSomebodyAsks() {
        assertThat(settings(NONE)).isNull();
        assertThat(settings(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "", "OTEL_SERVICE_NAME", "shop")))
                .isNull();
    }

    @Test
    void theCommandLineGoesBeforeTheVariables() {
        Map<String, String> variables =
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/", "OTEL_SERVICE_NAME", "shop");
        assertThat(settings(variables))
                .isEqualTo(new TracingSettings(URI.create("http://collector:4318/v1/traces"), 0.01, "shop"));
        assertThat(settings(variables, "--otlp-endpoint", "https://other:1/below/v1/traces", "--trace-ratio", "0.5"))
                .isEqualTo(new TracingSettings(URI.create("https://other:1/below/v1/traces"), 0.5, "shop"));
    }

    @Test
    void whatIsGivenIsPassedOn() {
        Some some = new Some();
        new CommandLine(some).parseArgs("--otlp-endpoint", "http://a:1", "--trace-ratio", "1");
        assertThat(settings(NONE, some.tracing.arguments().toArray(String[]::new)))
                .isEqualTo(new TracingSettings(URI.create("http://a:1/v1/traces"), 1, null));
        assertThat(new TracingOptions().arguments()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "ftp://a:1", "", "http:// a", "/v1/traces"})
    void whatIsNoUrlIsNamed(String endpoint) {
        assertThatThrownBy(() -> settings(NONE, "--otlp-endpoint", endpoint))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--otlp-endpoint");
        if (!endpoint.isEmpty()) {
            assertThatThrownBy(() -> settings(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)))
                    .isInstanceOf(ParameterException.class)
                    .hasMessageContaining("$OTEL_EXPORTER_OTLP_ENDPOINT");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1.5", "NaN"})
    void aRatioOutsideItsRangeIsNamed(String ratio) {
        assertThatThrownBy(() -> settings(NONE, "--otlp-endpoint", "http://a:1", "--trace-ratio", ratio))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--trace-ratio")
                .hasMessageContaining("outside 0..1");
    }

    @Test
    void aRatioOfNoTracesIsAMistake() {
        assertThatThrownBy(() -> settings(NONE, "--trace-ratio", "0.5"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--otlp-endpoint");
    }
}
