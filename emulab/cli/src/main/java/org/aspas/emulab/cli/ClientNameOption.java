package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which client a command is. */
final class ClientNameOption {
    @Option(
            names = "--client",
            defaultValue = "cli",
            paramLabel = "NAME",
            description =
                    "Client whose key in DIR/clients to use; the key is made on first use (default: ${DEFAULT-VALUE}).")
    private String client = "cli";

    String name() {
        return client;
    }

    /**
     * The client's key, made on first use. One that the deployment does not admit is refused here: each server would refuse what it
     * signs, and until it is sent it would look as if it could have an effect.
     */
    SigningKey key(DeploymentDirectory directory) throws DeploymentDirectory.UnusableDirectory, IOException {
        Set<PublicKey> admitted = directory.descriptor().admitted();
        Path file = keyFile(directory);
        if (!admitted.isEmpty() && Files.notExists(file)) {
            throw new IllegalArgumentException("this deployment admits listed clients only, and there is no " + file
                    + ": put the key of an admitted client there ('aspas key' makes one before init, and 'init --admit'"
                    + " admits it)");
        }
        SigningKey key = directory.clientKey(client);
        if (!admitted.isEmpty() && !admitted.contains(key.publicKey())) {
            throw new IllegalArgumentException("this deployment does not admit client " + client + ": its public key "
                    + key.publicKey() + " is none of those given to 'init --admit'");
        }
        return key;
    }

    Path keyFile(DeploymentDirectory directory) {
        return directory.clientPath(client, ".key");
    }

    /** The clients of the shell that a command runs in; null outside of one. */
    static @Nullable ClientPool shell(CommandSpec command) {
        return command.root().userObject() instanceof ClientSource source ? source.clients() : null;
    }

    /** The client's records. Those of the shell that the command runs in are freed first. */
    PendingRequests record(DeploymentDirectory directory, CommandSpec command)
            throws DeploymentDirectory.UnusableDirectory {
        ClientPool shared = shell(command);
        if (shared != null) {
            shared.close();
        }
        return new PendingRequests(directory, client);
    }
}
