package org.aspas.emulab.cli;

import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Which client a command is. */
final class ClientNameOption {
    @Option(
            names = "--client",
            defaultValue = "cli",
            paramLabel = "NAME",
            description = "Whose key to use, from DIR/clients; made on first use (default: ${DEFAULT-VALUE}).")
    private String client = "cli";

    String name() {
        return client;
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
