package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which nodes of which deployment {@code up} and {@code down} are about. */
final class NodesOption {
    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(
            names = "--node",
            split = ",",
            paramLabel = "NODE",
            description = "Only these nodes, such as appserver-0,bftserver-0 (default: all whose address in the"
                    + " descriptor is one of this machine).")
    private List<String> names = List.of();

    Path directory() {
        return directory;
    }

    /**
     * The chosen nodes, appservers first.
     *
     * @throws IllegalArgumentException when a name is none of the deployment, or no node is here
     */
    List<NodeDescription> of(Descriptor descriptor) {
        List<NodeDescription> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(NodeName.of(descriptor, "--node", name));
        }
        if (names.isEmpty()) {
            descriptor.nodes().stream().filter(BindAddress::isHere).forEach(chosen::add);
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    "the descriptor puts no node at an address of this machine; name one with --node NODE");
        }
        return chosen.stream()
                .distinct()
                .sorted((one, other) -> one.id().compareTo(other.id()))
                .toList();
    }
}
