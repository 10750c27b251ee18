package org.aspas.emulab.gatling;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.client.deployment.DeploymentFiles;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.client.deployment.Folders;

/**
 * Which appservers get the load.
 *
 * @param descriptor the deployment, verified; empty when only addresses are known, which the JSON API alone can use
 * @param servers the addresses in order of the appservers' indices, such as {@code http://localhost:8100}
 */
record FeedTarget(Optional<Descriptor> descriptor, List<URI> servers) {
    FeedTarget {
        servers = List.copyOf(servers);
    }

    /**
     * The deployment of a descriptor.
     *
     * @param file {@code deployment.json}, with {@code deployment.json.sig} and {@code operator.pub} beside it
     * @param addresses one for each appserver, in place of those in the descriptor; empty for these
     * @throws IOException when a file is missing, cannot be read, or is not hexadecimal where it should be
     * @throws IllegalArgumentException when the descriptor or a number of addresses is wrong
     */
    static FeedTarget of(Path file, List<URI> addresses) throws IOException {
        DeploymentFiles files = new DeploymentFiles(Folders.disk());
        PublicKey operator = files.publicKey(file.resolveSibling(DeploymentFolder.OPERATOR));
        Path signature = file.resolveSibling(file.getFileName() + ".sig");
        Descriptor descriptor;
        try {
            descriptor = new DescriptorFile(files.bytes(file), files.hex(signature)).open(operator);
        } catch (DescriptorFile.InvalidDescriptor invalid) {
            throw new IllegalArgumentException(file + ": " + invalid.getMessage(), invalid);
        }
        int appservers = descriptor.quorums().appservers();
        if (!addresses.isEmpty() && addresses.size() != appservers) {
            throw new IllegalArgumentException(addresses.size() + " times --base-url, but the descriptor has "
                    + appservers + " appservers: name one for each, or none");
        }
        List<URI> listed = descriptor.nodes(Role.APPSERVER).stream()
                .map(NodeDescription::http)
                .toList();
        return new FeedTarget(Optional.of(descriptor), addresses.isEmpty() ? listed : addresses);
    }

    int serverOf(long user) {
        return (int) (user % servers.size());
    }

    String session(int server) {
        URI http = servers.get(server);
        String scheme = "https".equals(http.getScheme()) ? "wss" : "ws";
        return scheme + http.toString().substring(http.getScheme().length()) + "/v1/session";
    }
}
