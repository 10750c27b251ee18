package org.aspas.bftcluster.tracing;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;

/** Ids of traces: by chance, or those that all nodes of a deployment compute for a certificate. Thread-safe. */
final class TraceIds implements IdGenerator {
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
