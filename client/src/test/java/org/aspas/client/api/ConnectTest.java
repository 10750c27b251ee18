package org.aspas.client.api;

import static org.aspas.client.api.LoopbackDeployment.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.client.deployment.UnusableDeploymentException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a client begins: with a folder and a name, or with an ephemeral key, and never without a word on its record. */
class ConnectTest {
    @TempDir
    private Path temporary;

    private LoopbackDeployment deployment;
    private Path folder;

    @BeforeEach
    void deploy() throws Exception {
        deployment = new LoopbackDeployment();
        folder = deployment.write(temporary.resolve("lab"));
    }

    @AfterEach
    void stop() {
        deployment.close();
    }

    private AspasClient alice() throws Exception {
        return AspasClient.connect(folder, "alice", deployment.anyKey());
    }

    @Test
    void aFolderAndANameAreEnough() throws Exception {
        PublicKey first;
        try (AspasClient client = alice()) {
            get(client.counter("c").increment(1).answered());
            first = client.id().key();
        }
        // Nothing was confirmed, so the next start gives it again: it counts once.
        try (AspasClient client = alice()) {
            assertThat(client.id().key()).isEqualTo(first);
            get(client.counter("c").increment(10).answered());
            assertThat(client.statistics().unconfirmed()).isEqualTo(2);
        }
        assertThat(deployment.server.counters).containsEntry("c", 11L);
        try (AspasClient bob = AspasClient.connect(folder, "bob", deployment.anyKey())) {
            assertThat(bob.id().key()).isNotEqualTo(first);
        }
        assertThat(new DeploymentFolder(folder).clientNames()).containsExactly("alice", "bob");
    }

    @Test
    void anEphemeralClientKeepsNothing() throws Exception {
        try (AspasClient client = deployment.client(deployment.anyKey());
                AspasClient other = deployment.client(deployment.anyKey())) {
            assertThat(client.id().key()).isNotEqualTo(other.id().key());
        }
        try (AspasClient named = AspasClient.connect(folder, "carol", deployment.options())) {
            get(named.ready());
        }
        assertThat(folder.resolve("clients/carol.key")).exists();
        assertThat(folder.resolve("clients/carol.state")).doesNotExist();
    }

    @Test
    void aKeyWithoutAWordOnItsRecordIsRefused() {
        assertThatThrownBy(
                        () -> AspasClient.connect(deployment.descriptor, SigningKey.generate(), 0, deployment.anyKey()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("withState")
                .hasMessageContaining("withEphemeralKey");
    }

    @Test
    void theFirstServerIsOneOfTheDeployment() throws Exception {
        assertThatThrownBy(() -> deployment.client(deployment.options().withServer(4)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        AspasClient.connect(folder, "alice", deployment.anyKey().withServer(4)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> deployment.options().withServer(-1)).isInstanceOf(IllegalArgumentException.class);
        // The name is free for the next start.
        alice().close();
    }

    private void isRefused(String words) {
        assertThatThrownBy(this::alice)
                .isInstanceOf(UnusableDeploymentException.class)
                .hasMessageContaining(words)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void whatIsWrongWithAFolderIsSaidInOneLine() throws Exception {
        assertThatThrownBy(() -> AspasClient.connect(folder.resolve("nowhere"), "alice"))
                .isInstanceOf(UnusableDeploymentException.class)
                .hasMessageContaining("nowhere is not a directory");
        assertThatThrownBy(() -> AspasClient.connect(folder, "../alice"))
                .isInstanceOf(UnusableDeploymentException.class)
                .hasMessageContaining("client name '../alice'");
        String operator = Files.readString(folder.resolve("operator.pub"));
        Files.writeString(folder.resolve("operator.pub"), "00");
        isRefused("operator.pub does not hold a public key");
        Files.writeString(folder.resolve("operator.pub"), "xyz");
        isRefused("operator.pub is not hexadecimal");
        Files.writeString(
                folder.resolve("operator.pub"),
                HexFormat.of().formatHex(SigningKey.generate().publicKey().toBytes()));
        isRefused("deployment.json");
        Files.writeString(folder.resolve("operator.pub"), operator);
        Files.writeString(folder.resolve("tls-ca.pem"), "nothing");
        isRefused("tls-ca.pem");
        Files.delete(folder.resolve("tls-ca.pem"));
        Files.createDirectories(folder.resolve("clients"));
        Files.writeString(folder.resolve("clients/alice.key"), "0011");
        isRefused("alice.key holds 2 bytes");
        Files.delete(folder.resolve("deployment.json.sig"));
        isRefused("deployment.json.sig is missing");
    }
}
