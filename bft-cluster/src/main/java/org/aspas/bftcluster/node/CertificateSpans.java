package org.aspas.bftcluster.node;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.aspas.bftcluster.telemetry.NodeTracing;
import org.aspas.bftcluster.telemetry.OpenSpan;
import org.aspas.certify.wire.CertificateNumber;

/**
 * One span for each certificate that is sampled: from the ordered report that made the question due, to the own signature. A
 * question that is asked anew is one with the first. Not thread-safe.
 */
final class CertificateSpans {
    private static final int MOST = 64;

    private final NodeTracing tracing;
    private final NavigableMap<CertificateNumber, OpenSpan> open = new TreeMap<>();

    CertificateSpans(NodeTracing tracing) {
        this.tracing = tracing;
    }

    /** A report came out ordered, and made a question for this certificate due. */
    void asked(CertificateNumber number, long epoch) {
        OpenSpan known = open.get(number);
        if (known != null) {
            known.event("asked again");
            return;
        }
        OpenSpan span = tracing.begin("certificate", number);
        if (span != null) {
            open.put(
                    number, span.set("aspas.certificate.number", number.value()).set("aspas.epoch", epoch));
            if (open.size() > MOST) {
                abandoned(open.pollFirstEntry().getValue());
            }
        }
    }

    /** A step of it has ended. */
    void step(CertificateNumber number, String step) {
        OpenSpan span = open.get(number);
        if (span != null) {
            span.event(step);
        }
    }

    /** This bftserver has signed it; it signs none with a smaller number any more. */
    void signed(CertificateNumber number) {
        OpenSpan span = open.remove(number);
        if (span != null) {
            span.end();
        }
        NavigableMap<CertificateNumber, OpenSpan> older = open.headMap(number, false);
        older.values().forEach(CertificateSpans::abandoned);
        older.clear();
    }

    private static void abandoned(OpenSpan span) {
        span.failed("this bftserver did not sign it").end();
    }
}
