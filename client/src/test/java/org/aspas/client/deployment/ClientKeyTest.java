package org.aspas.client.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client's key is made on its first use, once, whoever uses it at the same time. */
class ClientKeyTest {
    private static final int AT_ONCE = 8;

    @TempDir
    private Path lab;

    @Test
    void allWhoUseANameForTheFirstTimeGetOneKey() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (int name = 0; name < 10; name++) {
                String client = "client" + name;
                CyclicBarrier together = new CyclicBarrier(AT_ONCE);
                List<Future<PublicKey>> keys = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    keys.add(threads.submit(() -> {
                        together.await();
                        return new DeploymentFolder(lab).clientKey(client).publicKey();
                    }));
                }
                PublicKey kept = new DeploymentFolder(lab).clientKey(client).publicKey();
                for (Future<PublicKey> key : keys) {
                    assertThat(key.get()).as(client).isEqualTo(kept);
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(new DeploymentFolder(lab).clientNames()).hasSize(10);
        try (Stream<Path> files = Files.list(lab.resolve("clients"))) {
            assertThat(files).hasSize(10).allMatch(file -> file.toString().endsWith(".key"));
        }
    }

    @Test
    void aKeyIsForItsOwnerAloneAndIsNotReplaced() throws Exception {
        DeploymentFolder folder = new DeploymentFolder(lab);
        folder.clientKey("alice");
        Path clients = lab.resolve("clients");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(clients)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(clients.resolve("alice.key"))))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> folder.addClientKey("alice", SigningKey.generate()))
                .isInstanceOf(FileAlreadyExistsException.class);
    }
}
