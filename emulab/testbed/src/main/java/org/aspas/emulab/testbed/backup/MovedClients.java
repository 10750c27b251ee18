package org.aspas.emulab.testbed.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.api.ClientRecord;
import org.aspas.client.api.FileClientState;
import org.aspas.client.core.ClientState;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;

/**
 * The clients of a deployment's directory in that of a deployment which goes on with its state: the same keys, and records that go on
 * with their numbers, so that what a client gives again counts once.
 */
public final class MovedClients {
    private static final String RECORD = ".state";

    private MovedClients() {}

    /**
     * Copies keys, and writes records anew with their open requests signed for the other deployment, all durably.
     *
     * @param deployment the id of the other one, whose descriptor need not be written yet
     * @return the names of the clients
     * @throws IOException when one of the clients runs, or a file cannot be read or written
     */
    public static List<String> move(DeploymentDirectory from, DeploymentDirectory to, Hash deployment)
            throws DeploymentDirectory.UnusableDirectory, IOException {
        List<String> names = from.clientNames();
        for (String name : names) {
            move(from, to, deployment, name);
        }
        return names;
    }

    /** Throws when the client runs, because what a running client holds would be left behind. */
    private static void requireEnded(List<Path> records, String name) throws IOException {
        for (Path record : records) {
            if (DirectoryReader.inUse(record)) {
                throw new IOException("client " + name + " runs: " + record
                        + " is in use, and its updates would be left behind; end it first");
            }
        }
    }

    private static void move(DeploymentDirectory from, DeploymentDirectory to, Hash deployment, String name)
            throws DeploymentDirectory.UnusableDirectory, IOException {
        SigningKey key = from.clientKey(name);
        to.addClientKey(name, key);
        List<Path> records = ClientRecord.directories(from.clientPath(name, RECORD));
        if (records.isEmpty()) {
            return;
        }
        requireEnded(records, name);
        Sealer sealer = new Sealer(key, deployment);
        try (FileClientState old = new FileClientState(
                        from.clientPath(name, RECORD), from.descriptor().id());
                FileClientState made = new FileClientState(to.clientPath(name, RECORD), deployment)) {
            Optional<ClientState> state = old.load();
            made.load();
            state.ifPresent(kept -> made.save(kept.signedBy(sealer)));
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }
}
