/**
 * Spans of a node's work for OpenTelemetry, by OTLP over HTTP. {@link org.aspas.bftcluster.tracing.NodeTracing} begins spans; whoever
 * does the work says what is known of it and ends them ({@link org.aspas.bftcluster.tracing.OpenSpan}). OpenTelemetry's own classes stay
 * in this package.
 *
 * <p>Off unless it is asked for: a node without tracing has no {@code NodeTracing}, and no class of OpenTelemetry is loaded. With
 * it, most work is not sampled and has no span; what is sampled waits in a bounded queue for a thread of its own. A receiver that
 * does not answer costs spans, which are counted ({@link org.aspas.bftcluster.tracing.TracingCounts}), and nothing else.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.bftcluster.tracing;
