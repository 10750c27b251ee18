package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsIdentity;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What strangers and misbehaving peers do on the link port is rejected, and {@code /v1/status} counts it. */
class LinkNoiseTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final NodeId PEER = NodeId.appserver(1);

    private static TestDeployment deployment;
    private static AppServer server;

    @BeforeAll
    static void start() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
        server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults().withFreePorts("127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static long links(String name) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + "/v1/status");
        JsonNode status = new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
        assertThat(status.path("links").path(name).isIntegralNumber()).as(name).isTrue();
        return status.path("links").path(name).asLong();
    }

    private static void awaitMore(String name, long before) {
        Awaitility.await().atMost(PATIENCE).until(() -> links(name) > before);
    }

    /** The links of a peer with a key of its choice, allowed to send frames of any size. */
    private static NodeLinks peer(SigningKey key) throws Exception {
        LinkLimits usual = LinkLimits.defaults();
        NodeLinks links = new NodeLinks(
                PEER,
                TlsIdentity.of(key.seed()),
                deployment.descriptor().nodes().stream()
                        .collect(Collectors.toMap(NodeDescription::id, NodeDescription::key)),
                new InetSocketAddress("127.0.0.1", 0),
                new LinkLimits(
                        32 << 20,
                        64 << 20,
                        usual.maxUnauthenticated(),
                        usual.handshakeTimeoutMillis(),
                        usual.minRetryMillis(),
                        usual.maxRetryMillis(),
                        usual.idleMillis()),
                new LinkListener() {
                    @Override
                    public void onConnected(NodeId peer) {
                        // Awaited through the counters.
                    }

                    @Override
                    public void onDisconnected(NodeId peer) {
                        // Nothing is expected of it.
                    }

                    @Override
                    public void onFrame(NodeId peer, byte[] frame) {
                        // Nothing is expected of it.
                    }
                });
        links.start();
        links.connect(NodeId.appserver(0), server.linkAddress());
        return links;
    }

    private static void send(NodeLinks links, byte[] frame) {
        Awaitility.await().atMost(PATIENCE).until(() -> links.send(NodeId.appserver(0), frame));
    }

    @Test
    void unauthenticatedNoiseIsCounted() throws Exception {
        long before = links("handshakes_rejected");
        try (Socket socket = new Socket("127.0.0.1", server.linkAddress().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            awaitMore("handshakes_rejected", before);
        }
    }

    @Test
    void aKeyThatTheDescriptorDoesNotListIsRejected() throws Exception {
        long before = links("handshakes_rejected");
        try (NodeLinks stranger = peer(TestDeployment.key(999))) {
            awaitMore("handshakes_rejected", before);
            assertThat(stranger.isConnected(NodeId.appserver(0))).isFalse();
        }
    }

    @Test
    void anOversizedAndAMalformedFrameOfAPeerAreCounted() throws Exception {
        long oversized = links("oversized_frames");
        long malformed = links("malformed_frames");
        try (NodeLinks peer = peer(deployment.appserverKeys().get(1))) {
            send(peer, new byte[] {1, 2, 3});
            awaitMore("malformed_frames", malformed);
            send(peer, new byte[deployment.descriptor().limits().linkFrameBytes() + 1]);
            awaitMore("oversized_frames", oversized);
        }
    }
}
