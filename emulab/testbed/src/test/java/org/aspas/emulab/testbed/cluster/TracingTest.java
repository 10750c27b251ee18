package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.aspas.bftcluster.telemetry.TracingCounts;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateAnswer;
import org.aspas.emulab.testbed.cluster.TraceReceiver.Received;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The spans of a whole deployment, as a receiver of OTLP gets them. */
@Timeout(600)
class TracingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final String SAMPLED = "00-" + TRACE + "-" + CALLER + "-01";
    private static final String UNSAMPLED_TRACE = TRACE.replace('4', '5');
    private static final String UNSAMPLED = "00-" + UNSAMPLED_TRACE + "-" + CALLER + "-00";
    private static final String OBJECT = "medical-record-of-j-doe";
    private static final String ELEMENT = "what-nobody-should-read";
    private static final String SDK_THREAD = "BatchSpanProcessor";

    private static Cluster cluster(TracingSettings settings) throws Exception {
        Cluster cluster =
                Cluster.start(new Quorums(1, 1), ClusterOptions.defaults().withTracing(settings));
        cluster.awaitReady(PATIENCE);
        return cluster;
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static int post(URI server, String path, String body, String traceparent) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .header("Content-Type", "application/json")
                .header("traceparent", traceparent)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private static String metrics(Cluster cluster, int server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(cluster.address(server).resolve("/metrics"))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static Received await(TraceReceiver receiver, Predicate<Received> wanted) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> receiver.first(wanted), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void requestsUpdatesAndCertificatesAreFollowed() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver();
                Cluster cluster = cluster(TracingSettings.of(receiver.endpoint(), 1, null))) {
            Received certified = httpUpdate(receiver, cluster);
            certificate(receiver, cluster, certified);
            sessionUpdate(receiver, cluster);
            refusedRequest(receiver, cluster);
            reportsAreSeen(receiver, cluster);
            assertThat(receiver.spans())
                    .allSatisfy(one -> assertThat(one.span().toString()).doesNotContain(OBJECT, ELEMENT));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(metrics(cluster, 0))
                            .containsPattern(
                                    "aspas_trace_spans_total\\{node=\"appserver-0\",outcome=\"exported\"} [1-9]")
                            .contains("aspas_trace_spans_total{node=\"appserver-0\",outcome=\"refused\"} 0.0"));
        }
    }

    /** The request's span is a child of the caller's; its certification is a child of it, and linked to it. */
    private static Received httpUpdate(TraceReceiver receiver, Cluster cluster) throws Exception {
        String body = "{\"element\": \"" + ELEMENT + "\"}";
        assertThat(post(cluster.address(0), "/v1/sets/" + OBJECT + "/add", body, SAMPLED))
                .isEqualTo(200);
        Received request = await(receiver, one -> one.span().getName().equals("POST /v1/sets/{key}/add"));
        assertThat(request.service()).isEqualTo("aspas-appserver-0");
        assertThat(request.trace()).isEqualTo(TRACE);
        assertThat(request.parent()).isEqualTo(CALLER);
        assertThat(request.span().getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
        assertThat(request.attributes())
                .containsAllEntriesOf(Map.of(
                        "http.request.method", "POST",
                        "http.route", "/v1/sets/{key}/add",
                        "http.response.status_code", "200",
                        "aspas.object.type", "aw-set",
                        "aspas.entry.server", "appserver-0"))
                .containsKey("aspas.entry.position");
        Received certification = await(receiver, one -> one.span().getName().equals("certification"));
        followsFrom(certification, request);
        return certification;
    }

    private static void followsFrom(Received certification, Received update) {
        assertThat(certification.trace()).isEqualTo(update.trace());
        assertThat(certification.span().getParentSpanId())
                .isEqualTo(update.span().getSpanId());
        assertThat(certification.span().getLinksList())
                .singleElement()
                .extracting(Span.Link::getSpanId)
                .isEqualTo(update.span().getSpanId());
        // A certificate may rest on the reports of others alone.
        assertThat(certification.events()).isSubsetOf("reported");
        assertThat(certification.attributes().get("aspas.entry.position"))
                .isEqualTo(update.attributes().get("aspas.entry.position"));
        assertThat(Long.parseLong(certification.attributes().get("aspas.certificate.number")))
                .isPositive();
    }

    /** The bftservers that signed the certificate have spans in one trace, whose id the certification's span names. */
    private static void certificate(TraceReceiver receiver, Cluster cluster, Received certified) {
        String trace = certified.attributes().get("aspas.certificate.trace");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(receiver.spans().stream()
                                .filter(one -> one.trace().equals(trace))
                                .map(Received::node)
                                .distinct())
                        .hasSizeGreaterThanOrEqualTo(
                                cluster.descriptor().quorums().bftserverQuorum()));
        assertThat(receiver.spans().stream().filter(one -> one.trace().equals(trace)))
                .allSatisfy(one -> {
                    assertThat(one.span().getName()).isEqualTo("certificate");
                    assertThat(one.service()).startsWith("aspas-bftserver-");
                    assertThat(one.attributes().get("aspas.certificate.number"))
                            .isEqualTo(certified.attributes().get("aspas.certificate.number"));
                    assertThat(one.span().getEndTimeUnixNano())
                            .isGreaterThan(one.span().getStartTimeUnixNano());
                })
                .anySatisfy(one -> assertThat(one.events()).contains("own accept"));
    }

    private static void sessionUpdate(TraceReceiver receiver, Cluster cluster) throws Exception {
        try (AspasClient client = cluster.client(2, ClientOptions.defaults())) {
            Update update = client.counter(OBJECT + "-visits").increment(1);
            UpdateAnswer answer = get(update.answered());
            get(update.confirmed());
            Received span = await(receiver, one -> one.span().getName().equals("update"));
            assertThat(span.service()).isEqualTo("aspas-appserver-2");
            assertThat(span.parent()).isEmpty();
            assertThat(span.attributes())
                    .containsAllEntriesOf(Map.of(
                            "aspas.client", client.id().toString(),
                            "aspas.request.number", "1",
                            "aspas.object.type", "pn-counter",
                            "aspas.entry.server", "appserver-2",
                            "aspas.entry.position", Long.toString(answer.dot().sequence())));
            followsFrom(
                    await(
                            receiver,
                            one -> one.trace().equals(span.trace())
                                    && one.span().getName().equals("certification")),
                    span);
        }
    }

    /** A traceparent that is malformed begins a trace, and a caller who does not sample decides so. */
    private static void refusedRequest(TraceReceiver receiver, Cluster cluster) throws Exception {
        assertThat(post(cluster.address(1), "/v1/sets/x/clear", "{}", UNSAMPLED))
                .isEqualTo(200);
        assertThat(post(cluster.address(1), "/v1/sets/x/add", "{}", "no traceparent"))
                .isEqualTo(400);
        Received refused = await(receiver, one -> "400".equals(one.attributes().get("http.response.status_code")));
        assertThat(refused.parent()).isEmpty();
        assertThat(refused.span().getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_UNSET);
        assertThat(receiver.spans()).noneMatch(one -> one.trace().equals(UNSAMPLED_TRACE));
    }

    private static void reportsAreSeen(TraceReceiver receiver, Cluster cluster) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            post(cluster.address(0), "/v1/sets/reported/clear", "{}", SAMPLED);
            return receiver.first(one -> one.span().getName().equals("certification")
                            && one.events().contains("reported"))
                    .isPresent();
        });
    }

    @Test
    void aReceiverThatIsAwayHindersNobodyAndIsToldOnce() throws Exception {
        int closed;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = taken.getLocalPort();
        }
        Logger logger = (Logger) LoggerFactory.getLogger("org.aspas.bftcluster.telemetry.SpanQueue");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try (Cluster cluster = cluster(TracingSettings.of("http://127.0.0.1:" + closed, 1, null));
                AspasClient client = cluster.client(0, ClientOptions.defaults())) {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                get(client.counter("steps").increment(1).confirmed());
                assertThat(undelivered(cluster)).isGreaterThan(1);
            });
            long first = undelivered(cluster);
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                get(client.counter("steps").increment(1).confirmed());
                assertThat(undelivered(cluster)).isGreaterThan(first);
            });
        } finally {
            logger.detachAppender(log);
        }
        List<String> warnings = List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
        assertThat(warnings).filteredOn(line -> line.startsWith("appserver-0 ")).hasSize(1);
    }

    private static long undelivered(Cluster cluster) throws Exception {
        String start = "aspas_trace_spans_total{node=\"appserver-0\",outcome=\"undelivered\"} ";
        return metrics(cluster, 0)
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(start.length())))
                .sum();
    }

    @Test
    void withoutSettingsThereIsNoTracing() throws Exception {
        try (Cluster cluster = Cluster.start(new Quorums(1, 1)); // Others of this class have closed theirs.
                AspasClient client = cluster.client(0, ClientOptions.defaults())) {
            cluster.awaitReady(PATIENCE);
            get(client.counter("steps").increment(1).confirmed());
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith(SDK_THREAD));
            assertThat(metrics(cluster, 0)).contains("outcome=\"exported\"} 0.0");
            assertThat(cluster.bftserver(0).orElseThrow().traces()).isEqualTo(TracingCounts.NONE);
        }
    }
}
