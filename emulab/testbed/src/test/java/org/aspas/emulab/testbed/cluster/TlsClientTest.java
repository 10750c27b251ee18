package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.node.ClientTls;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.TlsCertificate;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.core.Policy;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.Deployment.Place;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of a server that the descriptor says is reached by TLS, by binary sessions and by WebSockets. */
class TlsClientTest {
    private static final NodeId SERVER = NodeId.appserver(0);
    private static final Quorums QUORUMS = new Quorums(1, 1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path files;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static Deployment deployment(boolean binary, boolean tls) throws IOException {
        List<Place> places = LoopbackPlaces.choose(QUORUMS).stream()
                .map(place -> place.servicePort() == 0
                        ? place
                        : new Place(
                                place.host(),
                                place.linkPort(),
                                place.servicePort(),
                                binary ? place.sessionPort() : 0,
                                tls))
                .toList();
        return Deployment.generate("tls", QUORUMS, places, Set.of(), Limits.DEFAULT);
    }

    /** Starts the one server that there is, at the ports that the descriptor names. */
    private AppServer serve(Deployment deployment, TlsCertificate certificate) throws Exception {
        ClientTls shown = certificate == null
                ? null
                : ClientTls.read(
                        Files.writeString(files.resolve("chain.pem"), certificate.chainText()),
                        Files.writeString(files.resolve("key.pem"), certificate.keyText()));
        NodeDescription node = deployment.descriptor().node(SERVER);
        AppServer server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.key(SERVER),
                AppServerOptions.defaults()
                        .withAddresses(
                                new InetSocketAddress(node.host(), 0),
                                new InetSocketAddress(node.host(), node.servicePort()),
                                node.sessionPort() == 0 ? null : new InetSocketAddress(node.host(), node.sessionPort()))
                        .withClientTls(shown));
        opened.add(server);
        return server;
    }

    private static TlsCertificate certificate(Deployment deployment) {
        return deployment.certificates().get(SERVER);
    }

    private AspasClient client(Deployment deployment, ServerTrust trust) {
        ClientOptions options = ClientOptions.defaults()
                .withTimeouts(PATIENCE, PATIENCE)
                .withConnectAttempts(1)
                .withPolicy(Policy.STAY)
                .withTrust(trust);
        AspasClient client = AspasClient.connectEphemeral(deployment.descriptor(), options.withServer(0));
        opened.add(client);
        return client;
    }

    private void assertFails(Deployment deployment, ServerTrust trust, String words) {
        assertThatThrownBy(() -> client(deployment, trust)
                        .ready()
                        .toCompletableFuture()
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .rootCause()
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void updatesAndReadsGoByTls(boolean binary) throws Exception {
        Deployment deployment = deployment(binary, true);
        AppServer server = serve(deployment, certificate(deployment));
        AspasClient client =
                client(deployment, ServerTrust.of(certificate(deployment).chain()));
        for (int times = 0; times < 50; times++) {
            client.counter("likes").increment(1);
        }
        assertThat(client.counter("likes").increment(1).answered().toCompletableFuture())
                .succeedsWithin(PATIENCE);
        assertThat(server.httpCounts().sessionsOpened()).isEqualTo(1);
        assertThat(server.httpCounts().handshakesFailed()).isZero();
    }

    /** A value of almost a megabyte is many records of TLS. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void largeFramesGoByTls(boolean binary) throws Exception {
        Deployment deployment = deployment(binary, true);
        serve(deployment, certificate(deployment));
        AspasClient client =
                client(deployment, ServerTrust.of(certificate(deployment).chain()));
        String element = "x".repeat(3_000);
        for (int i = 0; i < 300; i++) {
            client.set("large").add(element + i);
        }
        assertThat(client.set("large").add("last").answered().toCompletableFuture())
                .succeedsWithin(PATIENCE);
        assertThat(client.set("large").get(ReadLevel.LOCAL).toCompletableFuture())
                .succeedsWithin(PATIENCE)
                .satisfies(read -> assertThat(read.value()).hasSize(301));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCertificateThatNobodyVouchesForIsSaid(boolean binary) throws Exception {
        Deployment deployment = deployment(binary, true);
        serve(deployment, certificate(deployment));
        assertFails(deployment, ServerTrust.usual(), "signed by nobody whom this client trusts");
        TlsCertificate other = deployment.certificates().get(NodeId.appserver(1));
        assertFails(deployment, ServerTrust.of(other.chain()), "signed by nobody whom this client trusts");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCertificateOfAnotherNameIsSaid(boolean binary) throws Exception {
        Deployment deployment = deployment(binary, true);
        Instant now = Instant.now();
        TlsCertificate other =
                TlsCertificate.selfSigned("server.example", now.minusSeconds(3_600), now.plusSeconds(3_600));
        serve(deployment, other);
        assertFails(deployment, ServerTrust.of(other.chain()), "its certificate is not of this server");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatSpeaksNoTlsIsSaid(boolean binary) throws Exception {
        Deployment deployment = deployment(binary, true);
        serve(deployment, null);
        assertFails(deployment, ServerTrust.of(certificate(deployment).chain()), "TLS");
    }

    @Test
    void aClientThatSpeaksNoTlsIsTold() throws Exception {
        Deployment deployment = deployment(true, false);
        Instant now = Instant.now();
        serve(deployment, TlsCertificate.selfSigned("127.0.0.1", now.minusSeconds(3_600), now.plusSeconds(3_600)));
        assertFails(deployment, ServerTrust.usual(), "said nothing: it has no room, or speaks TLS");
    }

    @Test
    void aFileWithoutCertificatesIsNamed() throws Exception {
        Path empty = Files.writeString(files.resolve("empty.pem"), "nothing");
        assertThatThrownBy(() -> ServerTrust.of(empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(empty + " holds no certificate in PEM");
        assertThatThrownBy(() -> ServerTrust.of(files.resolve("missing.pem"))).isInstanceOf(IOException.class);
    }
}
