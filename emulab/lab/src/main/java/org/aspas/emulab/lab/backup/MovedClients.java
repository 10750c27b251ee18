package org.aspas.emulab.lab.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.api.FileClientState;
import org.aspas.client.core.port.ClientState;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;

/**
 * The clients of a deployment's directory in that of a deployment which goes on with its state: the same keys, and records that go on
 * with their numbers, so that what a client gives again counts once.
 */
public final class MovedClients {
    private static final String KEY = ".key";
    private static final String RECORD = ".state";

    private MovedClients() {}

    /**
     * Copies keys, and writes records anew with their open requests signed for the other deployment. None may be in use.
     *
     * @return the names of the clients
     */
    public static List<String> move(DeploymentDirectory from, DeploymentDirectory to)
            throws DeploymentDirectory.UnusableDirectory, IOException {
        Path clients = from.root().resolve("clients");
        if (!Files.isDirectory(clients)) {
            return List.of();
        }
        List<String> names;
        try (Stream<Path> files = Files.list(clients)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(KEY))
                    .map(file -> file.substring(0, file.length() - KEY.length()))
                    .sorted()
                    .toList();
        }
        Files.createDirectories(to.root().resolve("clients"));
        for (String name : names) {
            move(from, to, name);
        }
        return names;
    }

    private static void move(DeploymentDirectory from, DeploymentDirectory to, String name)
            throws DeploymentDirectory.UnusableDirectory, IOException {
        SigningKey key = from.clientKey(name);
        Files.copy(from.clientPath(name, KEY), to.clientPath(name, KEY));
        if (!Files.exists(from.clientPath(name, RECORD))) {
            return;
        }
        Sealer sealer = new Sealer(key, to.descriptor().id());
        try (FileClientState old = new FileClientState(
                        from.clientPath(name, RECORD), from.descriptor().id());
                FileClientState made = new FileClientState(
                        to.clientPath(name, RECORD), to.descriptor().id())) {
            Optional<ClientState> state = old.load();
            made.load();
            state.ifPresent(kept -> made.save(kept.signedBy(sealer)));
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }
}
