package org.aspas.client.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
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
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.file.FileAccess;
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

    /** Only what is read and wrong may be thrown away. */
    @Test
    void aKeyThatCannotBeReadIsNotSaidToBeRemovable() throws Exception {
        DeploymentFolder folder = new DeploymentFolder(lab);
        Path file = lab.resolve("clients").resolve("alice.key");
        Files.createDirectories(file);
        assertThatThrownBy(() -> folder.clientKey("alice"))
                .isInstanceOf(UnusableDeploymentException.class)
                .hasMessageStartingWith(file + " cannot be read: ")
                .hasMessageNotContaining("removed");
        Files.delete(file);
        Files.writeString(file, "abcd");
        assertThatThrownBy(() -> folder.clientKey("alice"))
                .hasMessageStartingWith(file + " holds 2 bytes, but a private seed has 32; put the right file back;")
                .hasMessageEndingWith("it can be removed");
    }

    /** As in a folder of somebody else's, or on a full disk. */
    @Test
    void aFolderThatTakesNoKeyIsNamedAndNotTheFileThatWasTried() {
        Folders readOnly = new Folders() {
            @Override
            public boolean present(Path path) {
                return Folders.disk().present(path);
            }

            @Override
            public FileLayer read(Path folder) {
                return Folders.disk().read(folder);
            }

            @Override
            public FileLayer add(Path folder, FileAccess access) throws IOException {
                throw new FileSystemException(folder + "/zed.key.new-1", null, "Read-only file system");
            }

            @Override
            public FileLayer journal(Path folder) throws IOException {
                return Folders.disk().journal(folder);
            }
        };
        assertThatThrownBy(() -> new DeploymentFolder(lab, readOnly).clientKey("zed"))
                .isInstanceOf(UnusableDeploymentException.class)
                .hasMessageStartingWith("client zed has no key yet, and " + lab.resolve("clients")
                        + " takes none: Read-only file system; a copy of deployment.json")
                .hasMessageNotContaining(".new-");
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
