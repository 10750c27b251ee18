package org.aspas.bftcluster.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins spans for the work of one node, and sends those that ended. Whoever asks for a span gets none where its trace is not
 * sampled. Thread-safe; no method but {@link #close} waits for the receiver.
 */
public final class NodeTracing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTracing.class);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long CLOSE_SECONDS = 2;

    private final SpanQueue queue;
    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final TraceIds ids;

    private NodeTracing(TracingSettings settings, NodeId self, Hash deployment) {
        this.ids = new TraceIds(deployment);
        this.queue = new SpanQueue(
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(settings.receiver().toString())
                        .setConnectTimeout(CONNECT)
                        .setTimeout(ANSWER)
                        .setRetryPolicy(null)
                        .build(),
                self + " sends traces to " + settings.receiver());
        this.provider = SdkTracerProvider.builder()
                .setResource(resource(settings, self, deployment))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.ratio())))
                .setIdGenerator(ids)
                .addSpanProcessor(queue)
                .build();
        this.tracer = provider.get("org.aspas");
    }

    private static Resource resource(TracingSettings settings, NodeId self, Hash deployment) {
        String service = settings.service();
        return Resource.getDefault()
                .merge(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        service == null ? "aspas-" + self : service,
                        AttributeKey.stringKey("aspas.node"),
                        self.toString(),
                        AttributeKey.stringKey("aspas.deployment"),
                        deployment.toString())));
    }

    /** Starts to trace; whether the receiver is there is found out when the first spans are sent. */
    public static NodeTracing start(TracingSettings settings, NodeId self, Hash deployment) {
        LOG.info("{} sends {} of its traces to {}", self, settings.ratio(), settings.receiver());
        return new NodeTracing(settings, self, deployment);
    }

    /**
     * Begins a span of what the node does for somebody who asked.
     *
     * @param name what is done, one of few
     * @param traceparent the header of W3C Trace Context that came with the request; null, or one that is malformed, begins a trace
     * @return the span; null when its trace is not sampled
     */
    public @Nullable OpenSpan beginRequest(String name, @Nullable String traceparent) {
        Context parent = traceparent == null ? Context.root() : TraceIds.parent(traceparent);
        return opened(tracer.spanBuilder(name).setSpanKind(SpanKind.SERVER).setParent(parent));
    }

    /**
     * Begins a span of a certificate. It is in the same trace at all nodes, and sampled at all of them or at none: each computes the
     * trace's id from the deployment and the number.
     *
     * @param name what is done, one of few
     * @return the span; null when the trace is not sampled
     */
    public @Nullable OpenSpan begin(String name, CertificateNumber certificate) {
        return ids.within(
                certificate,
                () -> opened(
                        tracer.spanBuilder(name).setSpanKind(SpanKind.INTERNAL).setParent(Context.root())));
    }

    /** The id of the trace that the spans of a certificate are in, where they are sampled. */
    public String traceOf(CertificateNumber certificate) {
        return ids.of(certificate);
    }

    /** Begins a span that follows from another one, in its trace and with a link to it. */
    public @Nullable OpenSpan follow(OpenSpan before, String name) {
        return opened(tracer.spanBuilder(name)
                .setSpanKind(SpanKind.INTERNAL)
                .setParent(Context.root().with(before.span()))
                .addLink(before.span().getSpanContext()));
    }

    private static @Nullable OpenSpan opened(SpanBuilder builder) {
        Span span = builder.startSpan();
        return span.isRecording() ? new OpenSpan(span) : null;
    }

    public TracingCounts counts() {
        return queue.counts();
    }

    /** Sends what ended, for two seconds at most, and no more. */
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    /** Ids of traces: by chance, or those that all nodes of a deployment compute for a certificate. Thread-safe. */
    private static final class TraceIds implements IdGenerator {
        private static final int ID_DIGITS = 32;
        private static final String HEADER = "traceparent";

        private final String deployment;
        private final ThreadLocal<@Nullable String> shared = new ThreadLocal<>();

        TraceIds(Hash deployment) {
            this.deployment = deployment.toString();
        }

        /** What a header says; the root where it says nothing that is well-formed. */
        static Context parent(String traceparent) {
            return W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, new Header());
        }

        private static final class Header implements TextMapGetter<String> {
            @Override
            public Iterable<String> keys(String carrier) {
                return List.of(HEADER);
            }

            @Override
            public @Nullable String get(@Nullable String carrier, String key) {
                return key.equals(HEADER) ? carrier : null;
            }
        }

        /** The id that every node has for the trace of a certificate. */
        String of(CertificateNumber certificate) {
            byte[] words = (deployment + " certificate " + certificate.value()).getBytes(StandardCharsets.UTF_8);
            return Hash.sha256(words).toString().substring(0, ID_DIGITS);
        }

        /** A trace that begins in this call, on this thread, is that of the certificate. */
        <T extends @Nullable Object> T within(CertificateNumber certificate, Supplier<T> call) {
            shared.set(of(certificate));
            try {
                return call.get();
            } finally {
                shared.remove();
            }
        }

        @Override
        public String generateSpanId() {
            return IdGenerator.random().generateSpanId();
        }

        @Override
        public String generateTraceId() {
            String chosen = shared.get();
            return chosen == null ? IdGenerator.random().generateTraceId() : chosen;
        }
    }
}
