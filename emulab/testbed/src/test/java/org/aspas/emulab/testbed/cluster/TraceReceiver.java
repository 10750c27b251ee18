package org.aspas.emulab.testbed.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Takes spans by OTLP over HTTP, as a collector does, and keeps them. Thread-safe. */
final class TraceReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> spans = new CopyOnWriteArrayList<>();

    TraceReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /** A span, the service that sent it and the node that made it. */
    record Received(String service, String node, Span span) {
        String trace() {
            return hex(span.getTraceId().toByteArray());
        }

        String parent() {
            return hex(span.getParentSpanId().toByteArray());
        }

        Map<String, String> attributes() {
            return texts(span.getAttributesList());
        }

        List<String> events() {
            return span.getEventsList().stream().map(Span.Event::getName).toList();
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        return attributes.stream().collect(Collectors.toMap(KeyValue::getKey, one -> text(one.getValue())));
    }

    private static String text(AnyValue value) {
        return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            for (ResourceSpans resource : ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
                    .getResourceSpansList()) {
                Map<String, String> node = texts(resource.getResource().getAttributesList());
                resource.getScopeSpansList().stream()
                        .map(ScopeSpans::getSpansList)
                        .flatMap(List::stream)
                        .forEach(span ->
                                spans.add(new Received(node.get("service.name"), node.get("aspas.node"), span)));
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    /** What {@code OTEL_EXPORTER_OTLP_ENDPOINT} would be. */
    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> spans() {
        return List.copyOf(spans);
    }

    Optional<Received> first(Predicate<Received> wanted) {
        return spans.stream().filter(wanted).findFirst();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
