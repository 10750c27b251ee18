package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.appserver.main.ClientTls;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What an appserver shows to clients that come by TLS. */
final class ServerTlsOptions {
    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description =
                    "The certificate that it shows to clients, in PEM, and behind it who signed that (default where"
                            + " the descriptor says that clients come by TLS: keys/appserver-INDEX.tls.pem).")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description =
                    "The private key of that certificate: PKCS#8 in PEM, not encrypted; RSA, EC or Ed25519 (default:"
                            + " keys/appserver-INDEX.tls.key).")
    private @Nullable Path key;

    @Option(
            names = "--tls-proxy",
            description =
                    "The descriptor says that clients come by TLS, and a proxy in front of this server ends that.")
    private boolean proxy;

    /**
     * What it shows; null for nothing.
     *
     * @throws IllegalArgumentException when a file holds something else, or the descriptor says otherwise
     * @throws ParameterException when the options do not fit each other
     */
    @Nullable
    ClientTls of(DeploymentDirectory deployment, NodeDescription node, CommandSpec spec) throws IOException {
        Path shown = certificate;
        Path secret = key;
        if (shown == null != (secret == null)) {
            throw new ParameterException(spec.commandLine(), "--tls-cert and --tls-key need each other");
        }
        if (proxy && shown != null) {
            throw new ParameterException(spec.commandLine(), "--tls-proxy and --tls-cert exclude each other");
        }
        if (!node.clientTls() && (proxy || shown != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the descriptor says that clients reach " + node.id() + " without TLS, so none would come by it;"
                            + " 'aspas init --tls' makes a deployment for " + (proxy ? "--tls-proxy" : "--tls-cert"));
        }
        if (!node.clientTls() || proxy) {
            return null;
        }
        if (shown == null || secret == null) {
            shown = deployment.tlsCertificatePath(node.id());
            secret = deployment.tlsKeyPath(node.id());
            if (!Files.exists(shown)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "the descriptor says that clients reach " + node.id() + " by TLS, and " + shown
                                + " does not exist: name --tls-cert and --tls-key, or --tls-proxy");
            }
        }
        return ClientTls.read(shown, secret);
    }
}
