package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ActorSystem;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aspas.appserver.http.TestLimits;
import org.aspas.appserver.http.WatchLimits;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of events over HTTP, of one server without peers. */
@Timeout(900)
class WatchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Pattern DROPPED = Pattern.compile("event: gap\ndata: \\{\"dropped\":[1-9][0-9]*}\n\n");
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults()
                        .withFreePorts("127.0.0.1")
                        .withHttp(new TestLimits()
                                .idleTimeout(Duration.ofSeconds(1))
                                .watches(new WatchLimits(8, 4, 6, 8, Duration.ofMillis(200)))
                                .make()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + path);
    }

    private static WatchReader watch(String query, String lastEventId) throws Exception {
        return new WatchReader(HTTP, uri("/v1/watch?" + query), lastEventId);
    }

    private static int post(String path, String body) throws Exception {
        return post(server, path, body);
    }

    private static int post(AppServer at, String path, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + at.httpAddress().getPort() + path);
        return HTTP.send(
                        HttpRequest.newBuilder(uri)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static long http(String counter) throws Exception {
        HttpResponse<String> status =
                HTTP.send(HttpRequest.newBuilder(uri("/v1/status")).build(), HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper()
                .readTree(status.body())
                .get("http")
                .get(counter)
                .longValue();
    }

    private static void awaitAllClosed() {
        Awaitility.await().atMost(PATIENCE).until(() -> http("streams_opened") == http("streams_closed"));
    }

    @Test
    void aStreamBeginsWithWhatIsThereAndTellsWhatHappens() throws Exception {
        assertThat(post("/v1/counters/seen%2F1/increment", "{\"by\": 3}")).isEqualTo(200);
        try (WatchReader reader = watch("key=seen%2F1&key=set", "")) {
            assertThat(reader.response.statusCode()).isEqualTo(200);
            assertThat(reader.response.headers().firstValue("Content-Type").orElse(""))
                    .startsWith("text/event-stream");
            WatchReader.Received first = reader.next("local");
            assertThat(first.data().get("key").textValue()).isEqualTo("seen/1");
            assertThat(first.data().get("value").longValue()).isEqualTo(3);
            assertThat(first.data().get("initial").booleanValue()).isTrue();
            WatchReader.Received none = reader.next("local");
            assertThat(none.data().get("type").isNull()).isTrue();
            assertThat(none.data().has("value")).isFalse();
            assertThat(post("/v1/counters/unseen/increment", "{}")).isEqualTo(200);
            assertThat(post("/v1/sets/set/add", "{\"element\": \"a\"}")).isEqualTo(200);
            WatchReader.Received change = reader.next("local");
            assertThat(change.data().get("key").textValue()).isEqualTo("set");
            assertThat(change.data().get("value").get(0).textValue()).isEqualTo("a");
            assertThat(change.data().get("size").longValue()).isEqualTo(1);
            assertThat(change.data().has("initial")).isFalse();
            assertThat(change.id()).isNotEqualTo(none.id()).isNotEmpty();
        }
        awaitAllClosed();
    }

    @Test
    void aQuietStreamHasHeartbeatsAndOutlivesTheTimeForTheNextRequest() throws Exception {
        try (WatchReader reader = watch("key=quiet", "")) {
            reader.next("local");
            for (int beats = 0; beats < 15; beats++) { // 15 times 200 ms, and 1 s for a request
                assertThat(reader.next().name()).isEmpty();
            }
            assertThat(post("/v1/counters/quiet/increment", "{}")).isEqualTo(200);
            assertThat(reader.next("local").data().get("value").longValue()).isEqualTo(1);
        }
        awaitAllClosed();
    }

    @Test
    void whoComesBackIsToldThatNobodyKnowsWhatHappenedMeanwhile() throws Exception {
        String last;
        try (WatchReader reader = watch("key=gap", "")) {
            last = reader.next("local").id();
        }
        awaitAllClosed();
        assertThat(post("/v1/counters/gap/increment", "{}")).isEqualTo(200);
        try (WatchReader reader = watch("key=gap", last)) {
            WatchReader.Received gap = reader.nextEvent();
            assertThat(gap.name()).isEqualTo("gap");
            assertThat(gap.data().get("after").textValue()).isEqualTo(last);
            assertThat(gap.data().get("dropped").isNull()).isTrue();
            WatchReader.Received now = reader.nextEvent();
            assertThat(now.data().get("value").longValue()).isEqualTo(1);
            assertThat(now.data().get("initial").booleanValue()).isTrue();
        }
        awaitAllClosed();
    }

    /** It reads nothing until the buffers of both sockets are full and events wait, and then everything. */
    @Test
    void aSlowReaderLosesTheOldestEventsAndIsToldHowMany() throws Exception {
        ActorSystem system = smallBuffers();
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        AppServerOptions options = AppServerOptions.defaults()
                .withFreePorts("127.0.0.1")
                .withSystem(system)
                .withHttp(new TestLimits()
                        .watches(new WatchLimits(8, 4, 6, 8, Duration.ofSeconds(60)))
                        .make());
        try (AppServer other = AppServer.start(
                        deployment.descriptor(), 2, deployment.appserverKeys().get(2), options);
                Socket slow = new Socket()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(other.httpAddress());
            slow.getOutputStream()
                    .write("GET /v1/watch?key=busy HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String element = "{\"element\": \"" + "x".repeat(1500) + "\"}";
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        post(other, "/v1/sets/busy/add", element);
                        return other.httpCounts().eventsDropped() > 3;
                    });
            StringBuilder read = new StringBuilder();
            byte[] buffer = new byte[8192];
            while (!DROPPED.matcher(read).find()) {
                read.append(new String(buffer, 0, slow.getInputStream().read(buffer), StandardCharsets.US_ASCII));
            }
        } finally {
            system.terminate();
        }
    }

    /** Akka as servers have it, but for the buffers of sockets, which loopback makes megabytes long. */
    private static ActorSystem smallBuffers() {
        ActorSystem usual = AkkaSystem.create("usual");
        ActorSystem small = ActorSystem.create(
                "small",
                ConfigFactory.parseString("akka.http.server.socket-options.so-send-buffer-size = 4096")
                        .withFallback(usual.settings().config()));
        usual.terminate();
        return small;
    }

    @Test
    void streamsAndKeysAreBounded() throws Exception {
        List<WatchReader> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            readers.add(watch("key=bound/" + i, ""));
            assertThat(readers.get(i).response.statusCode()).isEqualTo(200);
        }
        try (WatchReader fifth = watch("key=bound/5", "")) {
            assertThat(fifth.response.statusCode()).isEqualTo(503);
            assertThat(new String(fifth.response.body().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("busy", "8 may be, half of them from one address");
        }
        readers.get(3).close();
        Awaitility.await().atMost(PATIENCE).until(() -> http("streams_opened") - http("streams_closed") == 3);
        try (WatchReader many = watch("key=a&key=b&key=c&key=d", "")) {
            assertThat(many.response.statusCode()).isEqualTo(503);
            assertThat(new String(many.response.body().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("6 may be watched");
        }
        for (WatchReader reader : readers) {
            reader.close();
        }
        awaitAllClosed();
        String five = IntStream.range(0, 5).mapToObj(i -> "key=" + i).collect(Collectors.joining("&"));
        assertThat(watch(five, "").response.statusCode()).isEqualTo(413);
        assertThat(watch("", "").response.statusCode()).isEqualTo(400);
        assertThat(watch("key=a&level=local", "").response.statusCode()).isEqualTo(422);
    }

    @Test
    void whoIsGoneBeforeTheStreamBeginsTakesNoPlaceForLong() throws Exception {
        for (int i = 0; i < 30; i++) {
            try (Socket hasty = new Socket()) {
                hasty.connect(server.httpAddress());
                hasty.setSoLinger(true, 0);
                hasty.getOutputStream()
                        .write("GET /v1/watch?key=hasty HTTP/1.1\r\nHost: x\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
        awaitAllClosed();
        try (WatchReader reader = watch("key=hasty", "")) {
            assertThat(reader.response.statusCode()).isEqualTo(200);
        }
        awaitAllClosed();
    }

    @Test
    void streamsEndWithTheServer() throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        AppServer other = AppServer.start(
                deployment.descriptor(),
                1,
                deployment.appserverKeys().get(1),
                AppServerOptions.defaults().withFreePorts("127.0.0.1"));
        URI uri = URI.create("http://127.0.0.1:" + other.httpAddress().getPort() + "/v1/watch?key=k");
        try (WatchReader reader = new WatchReader(HTTP, uri, "")) {
            assertThat(reader.next("local").data().get("server").intValue()).isEqualTo(1);
            other.close();
            assertThatThrownBy(() -> reader.next("certified")).isInstanceOf(IOException.class);
        }
    }
}
