/**
 * What a node's process tells Prometheus. {@link org.aspas.bftcluster.telemetry.NodeMetrics} holds the figures that nodes of both
 * tiers have in common, of their links, signatures and Java; a node sets its own ones at each reading, from the plain counters that it
 * keeps anyway. {@link org.aspas.bftcluster.telemetry.MetricsPort} serves them where a node has no other HTTP port.
 *
 * <h2>Tracing</h2>
 *
 * Spans of a node's work for OpenTelemetry, by OTLP over HTTP. {@link org.aspas.bftcluster.telemetry.NodeTracing} begins spans;
 * whoever does the work says what is known of it and ends them ({@link org.aspas.bftcluster.telemetry.OpenSpan}). OpenTelemetry's own
 * classes stay in this package.
 *
 * <p>Off unless it is asked for: a node without tracing has no {@code NodeTracing}, and no class of OpenTelemetry is loaded. With it,
 * most work is not sampled and has no span; what is sampled waits in a bounded queue for a thread of its own. A receiver that does not
 * answer costs spans, which are counted ({@link org.aspas.bftcluster.telemetry.TracingCounts}), and nothing else.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.bftcluster.telemetry;
