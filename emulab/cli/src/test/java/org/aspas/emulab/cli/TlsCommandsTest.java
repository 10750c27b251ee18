package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.node.ClientTls;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about a deployment whose clients come by TLS. */
class TlsCommandsTest {
    private static final NodeId FIRST = NodeId.appserver(0);

    @TempDir
    private Path folder;

    private String lab;
    private DeploymentDirectory deployment;

    @BeforeEach
    void init() throws Exception {
        lab = folder.resolve("lab").toString();
        deployment = new DeploymentDirectory(Path.of(lab));
        List<String> command = new ArrayList<>(Arrays.asList(FreePorts.choose().init(lab)));
        command.add("--tls");
        CommandRun run = CommandRun.of(command.toArray(String[]::new));
        assertThat(run.exit()).as(run.errors()).isZero();
        assertThat(run.out()).contains("tls-ca.pem");
    }

    private void assertRefused(String words, String... options) {
        List<String> command = new ArrayList<>(List.of("appserver", lab, "--index", "0"));
        command.addAll(List.of(options));
        CommandRun run = CommandRun.of(command.toArray(String[]::new));
        assertThat(run.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.errorLines()).singleElement().asString().contains(words);
    }

    @Test
    void optionsThatDoNotFitAreRefused() throws Exception {
        String chain = deployment.tlsCertificatePath(FIRST).toString();
        String key = deployment.tlsKeyPath(FIRST).toString();
        String others = deployment.tlsKeyPath(NodeId.appserver(1)).toString();
        assertRefused("--tls-cert and --tls-key must be given together", "--tls-cert", chain);
        assertRefused("--tls-cert and --tls-key must be given together", "--tls-key", key);
        assertRefused("exclude each other", "--tls-cert", chain, "--tls-key", key, "--tls-proxy");
        assertRefused("missing.pem does not exist", "--tls-cert", "missing.pem", "--tls-key", key);
        assertRefused(
                others + " does not hold the private key of the certificate", "--tls-cert", chain, "--tls-key", others);
        assertRefused(key + " holds no certificate in PEM", "--tls-cert", key, "--tls-key", key);
        Files.delete(deployment.tlsCertificatePath(FIRST));
        assertRefused("name --tls-cert and --tls-key, or --tls-proxy");
    }

    @Test
    void aDeploymentWithoutTlsTakesNoCertificate() throws Exception {
        String chain = deployment.tlsCertificatePath(FIRST).toString();
        String key = deployment.tlsKeyPath(FIRST).toString();
        lab = folder.resolve("plain").toString();
        assertThat(CommandRun.of(FreePorts.choose().init(lab)).exit()).isZero();
        assertRefused("clients reach appserver-0 without TLS", "--tls-cert", chain, "--tls-key", key);
        assertRefused("clients reach appserver-0 without TLS", "--tls-proxy");
        assertThat(new DeploymentDirectory(Path.of(lab)).tlsAuthorities()).isEmpty();
    }

    @Test
    void keysAreReadableByTheirOwnerAlone() throws Exception {
        for (NodeId node : List.of(FIRST, NodeId.appserver(3))) {
            assertThat(Files.getPosixFilePermissions(deployment.tlsKeyPath(node)))
                    .hasSize(2);
        }
    }

    @Test
    void commandsTalkByTlsAndSayWhenTheyDoNotTrust() throws Exception {
        Descriptor descriptor = deployment.descriptor();
        NodeDescription node = descriptor.node(FIRST);
        assertThat(node.clientTls()).isTrue();
        AppServerOptions options = AppServerOptions.defaults()
                .withClientTls(ClientTls.read(deployment.tlsCertificatePath(FIRST), deployment.tlsKeyPath(FIRST)));
        try (AppServer server = AppServer.start(descriptor, 0, deployment.key(descriptor, FIRST), options)) {
            CommandRun inc = CommandRun.of("counter", "inc", "likes", "--dir", lab, "--server", "0");
            assertThat(inc.exit()).as(inc.errors()).isZero();
            CommandRun status = CommandRun.of("status", "--dir", lab);
            assertThat(status.out())
                    .contains("no answer from https://127.0.0.1:")
                    .doesNotContain("trusts");
            assertThat(status.out().lines().filter(line -> line.startsWith("appserver-0")))
                    .singleElement()
                    .asString()
                    .doesNotContain("unreachable");
            assertThat(CommandRun.of("blacklist", "--dir", lab).exit()).isZero();
            assertThat(server.httpCounts().handshakesFailed()).isZero();

            String other = deployment.tlsCertificatePath(NodeId.appserver(1)).toString();
            CommandRun distrust = CommandRun.of("status", "--dir", lab, "--tls-ca", other);
            assertThat(distrust.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(distrust.out()).contains("its certificate is signed by nobody whom this client trusts");
            CommandRun refused =
                    CommandRun.of("counter", "inc", "likes", "--dir", lab, "--server", "0", "--tls-ca", other);
            assertThat(refused.exit()).isEqualTo(ExitCodes.KEPT);
            assertThat(refused.errors()).contains("its certificate is signed by nobody whom this client trusts");
            CommandRun backup = CommandRun.of(
                    "backup", lab, "--out", folder.resolve("b").toString(), "--from", "0", "--tls-ca", other);
            assertThat(backup.errors()).contains("its certificate is signed by nobody whom this client trusts");
        }
        assertThat(CommandRun.of("status", "--dir", lab, "--tls-ca", lab + "/operator.pub")
                        .errors())
                .contains("holds no certificate in PEM");
    }
}
