package org.aspas.appserver.http;

import akka.http.javadsl.model.AttributeKey;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.aspas.appserver.trace.AppServerSpans;
import org.aspas.bftcluster.telemetry.OpenSpan;
import org.jspecify.annotations.Nullable;

/** The spans of HTTP requests, each an attribute of its request. They end when the answer is known. Thread-safe. */
final class HttpSpans {
    private static final AttributeKey<OpenSpan> SPAN = AttributeKey.create("span", OpenSpan.class);
    private static final int SERVER_ERRORS = 500;

    private final AppServerSpans spans;

    HttpSpans(AppServerSpans spans) {
        this.spans = spans;
    }

    /** Those of a server; null when it follows nothing. */
    static @Nullable HttpSpans of(@Nullable AppServerSpans spans) {
        return spans == null ? null : new HttpSpans(spans);
    }

    /** Handles a request, in a span if it is sampled. */
    CompletionStage<HttpResponse> follow(
            HttpRequest request, Function<HttpRequest, CompletionStage<HttpResponse>> handler) {
        String traceparent =
                request.getHeader("traceparent").map(HttpHeader::value).orElse(null);
        OpenSpan span = spans.request(request.method().value(), traceparent);
        if (span == null) {
            return handler.apply(request);
        }
        return handler.apply(request.addAttribute(SPAN, span)).whenComplete((response, failure) -> {
            if (response != null) {
                ends(span, response.status().intValue());
            } else {
                span.failed("no answer").end();
            }
        });
    }

    private static void ends(OpenSpan span, int status) {
        span.set("http.response.status_code", status);
        if (status >= SERVER_ERRORS) {
            span.failed("status " + status);
        }
        span.end();
    }

    void routed(RoutedRequest request) {
        request.http()
                .getAttribute(SPAN)
                .ifPresent(span -> span.named(request.http().method().value() + " "
                                + request.endpoint().template())
                        .set("http.route", request.endpoint().template()));
    }

    void updated(HttpRequest request, String type, Reply reply) {
        request.getAttribute(SPAN).ifPresent(span -> {
            spans.object(span, type);
            if (reply instanceof Reply.Answered answered) {
                spans.answered(span, answered.answer());
            }
        });
    }
}
