package org.aspas.appserver.trace;

import org.aspas.bftcluster.telemetry.NodeMetrics;
import org.aspas.bftcluster.telemetry.NodeTracing;
import org.aspas.bftcluster.telemetry.OpenSpan;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;
import org.jspecify.annotations.Nullable;

/**
 * Follows what one appserver does for its clients, where it is sampled. Attributes name the client, the entry and the type of an
 * object, and never its key or its value. Thread-safe; never waits for the receiver.
 */
public final class AppServerSpans implements AutoCloseable {
    private static final String TYPE = "aspas.object.type";

    private final NodeTracing tracing;
    private final OpenSpans open = new OpenSpans();
    private final CertificationSpans certifications;

    private AppServerSpans(NodeTracing tracing, int self) {
        this.tracing = tracing;
        this.certifications = new CertificationSpans(tracing, self, open);
    }

    /**
     * Begins to follow what a server does.
     *
     * @param settings where spans go; null for no tracing
     * @return null without settings: then nothing of OpenTelemetry is touched
     */
    public static @Nullable AppServerSpans start(@Nullable TracingSettings settings, NodeId self, Hash deployment) {
        return settings == null
                ? null
                : new AppServerSpans(NodeTracing.start(settings, self, deployment), self.index());
    }

    /** The steps of updates after their answers. */
    public CertificationSpans certifications() {
        return certifications;
    }

    /**
     * An HTTP request has come.
     *
     * @param traceparent its header of this name; null without one
     * @return its span; null when it is not sampled
     */
    public @Nullable OpenSpan request(String method, @Nullable String traceparent) {
        OpenSpan span = tracing.beginRequest(method, traceparent);
        return span == null ? null : span.set("http.request.method", method);
    }

    /**
     * A client's update has come.
     *
     * @return its span, to be given to {@link #ended}; null when it is not sampled, or too many are open
     */
    public @Nullable OpenSpan update(Request request) {
        OpenSpan span = tracing.beginRequest("update", null);
        if (span == null || !open.enter()) {
            return null;
        }
        return span.set("aspas.client", request.client().toString())
                .set("aspas.request.number", request.number())
                .set(TYPE, request.type());
    }

    public void ended(OpenSpan update) {
        update.end();
        open.leave();
    }

    /** An update is answered; its certification is followed from now on. The span itself goes on. */
    public void answered(OpenSpan span, Answer answer) {
        Dot dot = answer.response().message().dot();
        if (dot != null) {
            position(span, dot);
            certifications.answered(span, dot);
        }
    }

    public void object(OpenSpan span, String type) {
        span.set(TYPE, type);
    }

    static void position(OpenSpan span, Dot dot) {
        span.set("aspas.entry.server", NodeId.appserver(dot.origin()).toString());
        span.set("aspas.entry.position", dot.sequence());
    }

    public void measure(NodeMetrics metrics) {
        metrics.traces(tracing.counts(), open.refused());
    }

    @Override
    public void close() {
        tracing.close();
    }
}
