package org.aspas.emulab.cli;

import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which client a command is. */
final class ClientNameOption {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

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
    PendingRequests record(DeploymentDirectory directory) throws DeploymentDirectory.UnusableDirectory {
        return record(directory, command);
    }

    /** As the other one, where this is a part of another mixin, for picocli tells it of that one alone. */
    PendingRequests record(DeploymentDirectory directory, CommandSpec called)
            throws DeploymentDirectory.UnusableDirectory {
        ClientPool shared = shell(called);
        if (shared != null) {
            shared.close();
        }
        return new PendingRequests(directory, client);
    }
}
