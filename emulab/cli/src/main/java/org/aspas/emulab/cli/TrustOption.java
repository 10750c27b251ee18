package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom a command believes the certificates of appservers that are reached by TLS. */
final class TrustOption {
    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "CA certificates, in PEM, for appservers that are reached by TLS (default: tls-ca.pem in the"
                    + " deployment's directory, or the CAs that this JDK trusts if that file is missing).")
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
