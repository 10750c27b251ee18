package org.aspas.appserver.net;

import java.util.HashMap;
import java.util.Map;
import org.aspas.appserver.trace.AppServerSpans;
import org.aspas.bftcluster.telemetry.OpenSpan;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.jspecify.annotations.Nullable;

/** The spans of the updates of one connection that are sampled and not answered yet, by their numbers. Thread-safe. */
final class SessionSpans {
    private final AppServerSpans spans;
    private final Map<Long, OpenSpan> open = new HashMap<>();

    SessionSpans(AppServerSpans spans) {
        this.spans = spans;
    }

    /** A frame has come. An update that comes again while the first is not answered is one with it. */
    synchronized void arrived(Frame frame) {
        if (frame instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Request request
                && !open.containsKey(request.number())) {
            OpenSpan span = spans.update(request);
            if (span != null) {
                open.put(request.number(), span);
            }
        }
    }

    synchronized void told(Message message) {
        if (open.isEmpty()) {
            return;
        }
        if (message instanceof Answer answer && answer.response().message().isUpdate()) {
            OpenSpan span = open.remove(answer.response().message().reference());
            if (span != null) {
                spans.answered(span, answer);
                spans.ended(span);
            }
        } else if (message instanceof Refusal refusal && !refusal.read()) {
            fail(open.remove(refusal.reference()), refusal.reason().name());
        }
    }

    /** The connection has ended: what is not answered by now will not be. */
    synchronized void end() {
        open.values().forEach(span -> fail(span, "the connection ended"));
        open.clear();
    }

    private void fail(@Nullable OpenSpan span, String why) {
        if (span != null) {
            span.failed(why);
            spans.ended(span);
        }
    }
}
