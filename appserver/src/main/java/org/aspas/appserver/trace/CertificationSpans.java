package org.aspas.appserver.trace;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.aspas.bftcluster.telemetry.NodeTracing;
import org.aspas.bftcluster.telemetry.OpenSpan;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.Dot;

/**
 * One span for each own entry whose update is sampled, from the answer to the first certificate that covers it. What certifies it
 * passes between servers without any trace: the entry's position is what joins the two. Thread-safe.
 */
public final class CertificationSpans {
    private final NodeTracing tracing;
    private final int self;
    private final OpenSpans open;
    /** By the entries' numbers. */
    private final NavigableMap<Long, OpenSpan> waiting = new TreeMap<>();

    private long reported;
    private long certified;
    private CertificateNumber newest = CertificateNumber.NONE;

    CertificationSpans(NodeTracing tracing, int self, OpenSpans open) {
        this.tracing = tracing;
        this.self = self;
        this.open = open;
    }

    /** An update is answered. What happened to its entry already counts as happening now. */
    synchronized void answered(OpenSpan update, Dot dot) {
        if (dot.origin() != self || waiting.containsKey(dot.sequence())) {
            return;
        }
        OpenSpan span = tracing.follow(update, "certification");
        if (span == null || !open.enter()) {
            return;
        }
        AppServerSpans.position(span, dot);
        if (dot.sequence() <= reported) {
            span.event("reported");
        }
        if (dot.sequence() <= certified) {
            end(span);
        } else {
            waiting.put(dot.sequence(), span);
        }
    }

    /** This server told the bftservers of its own entries up to a number. */
    public synchronized void reported(long upTo) {
        if (upTo > reported) {
            waiting.subMap(reported, false, upTo, true).values().forEach(span -> span.event("reported"));
            reported = upTo;
        }
    }

    /** A certificate covers the own entries up to a number. */
    public synchronized void certified(long upTo, CertificateNumber by) {
        if (upTo > certified) {
            certified = upTo;
            newest = by;
            NavigableMap<Long, OpenSpan> covered = waiting.headMap(upTo, true);
            covered.values().forEach(this::end);
            covered.clear();
        }
    }

    private void end(OpenSpan span) {
        span.set("aspas.certificate.number", newest.value())
                .set("aspas.certificate.trace", tracing.traceOf(newest))
                .end();
        open.leave();
    }
}
