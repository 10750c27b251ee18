package org.aspas.bftcluster.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;

/** A piece of sampled work that has begun. Thread-safe; what is said after its end has no effect. */
public final class OpenSpan {
    private final Span span;

    OpenSpan(Span span) {
        this.span = span;
    }

    Span span() {
        return span;
    }

    /** The work has another name than was known when it began. */
    public OpenSpan named(String name) {
        span.updateName(name);
        return this;
    }

    /** Notes what is known of the work: never a secret, a key or a value of an object. */
    public OpenSpan set(String attribute, String value) {
        span.setAttribute(attribute, value);
        return this;
    }

    public OpenSpan set(String attribute, long value) {
        span.setAttribute(attribute, value);
        return this;
    }

    public void event(String name) {
        span.addEvent(name);
    }

    /** The work failed, which its end does not undo. */
    public OpenSpan failed(String why) {
        span.setStatus(StatusCode.ERROR, why);
        return this;
    }

    public void end() {
        span.end();
    }
}
