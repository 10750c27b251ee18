package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.aspas.client.transport.ServerTrust;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom a command believes the certificates of appservers that are reached by TLS. */
final class TrustOption {
    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description =
                    "Who signs the certificates of appservers that are reached by TLS, in PEM (default: tls-ca.pem"
                            + " in the deployment's directory; without that, whom this JDK trusts).")
    private @Nullable Path authorities;

    /** The file that was named; empty for the usual ones. */
    Optional<Path> named() {
        return Optional.ofNullable(authorities);
    }

    /**
     * Whom to trust.
     *
     * @throws IllegalArgumentException when it holds no certificates
     */
    ServerTrust of(DeploymentDirectory deployment) throws IOException {
        Optional<Path> file = authorities == null ? deployment.tlsAuthorities() : Optional.of(authorities);
        return file.isPresent() ? ServerTrust.of(file.get()) : ServerTrust.usual();
    }
}
