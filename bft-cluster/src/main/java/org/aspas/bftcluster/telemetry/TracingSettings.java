package org.aspas.bftcluster.telemetry;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where the spans of a node go, and how many. Immutable.
 *
 * @param receiver where batches of spans are posted, an absolute URL of {@code http} or {@code https}
 * @param ratio which part of all traces is followed, 0 to 1; whether one is, is decided when it begins
 * @param service what the node calls itself there; null for {@code aspas-NODE}
 */
public record TracingSettings(
        URI receiver, double ratio, @Nullable String service) {
    /** The part that is followed where nobody says otherwise. */
    public static final double USUAL_RATIO = 0.01;

    private static final String TRACES = "/v1/traces";

    public TracingSettings {
        String scheme = receiver.getScheme();
        if (!("http".equals(scheme) || "https".equals(scheme)) || receiver.getHost() == null) {
            throw new IllegalArgumentException(
                    "the receiver of traces is " + receiver + ", and no URL such as http://127.0.0.1:4318");
        }
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("the ratio of traces is " + ratio + ", outside 0..1");
        }
    }

    /**
     * Settings with a receiver as {@code OTEL_EXPORTER_OTLP_ENDPOINT} names it: traces go to {@code /v1/traces} below it.
     *
     * @param endpoint such as {@code http://127.0.0.1:4318}; one that ends in {@code /v1/traces} is taken as it is
     * @throws IllegalArgumentException when it is no URL of {@code http} or {@code https}, or the ratio is outside its range
     */
    public static TracingSettings of(String endpoint, double ratio, @Nullable String service) {
        String base = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
        return new TracingSettings(URI.create(base.endsWith(TRACES) ? base : base + TRACES), ratio, service);
    }
}
