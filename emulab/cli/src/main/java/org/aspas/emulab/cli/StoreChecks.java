package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.client.api.ClientRecord;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;

/** Which stores a deployment's directory holds, and how each is read. */
final class StoreChecks {
    /** A client's first record, or a further one of as many clients as run at once. */
    private static final String RECORD = "\\.state(\\.[0-9]+)?$";

    private final DeploymentDirectory directory;
    private final Descriptor descriptor;

    StoreChecks(DeploymentDirectory directory) throws DeploymentDirectory.UnusableDirectory {
        this.directory = directory;
        this.descriptor = directory.descriptor();
    }

    /** Every node that keeps something here, then every client. */
    List<StoreCheck> all() throws IOException {
        List<StoreCheck> checks = new ArrayList<>();
        List<NodeId> nodes = new ArrayList<>();
        descriptor.nodes().forEach(node -> nodes.add(node.id()));
        List<Path> data = within("the nodes", directory.dataPath(), checks);
        for (NodeId node : nodes.stream().sorted().toList()) {
            if (data.contains(directory.dataPath(node))) {
                checks.add(check(node, directory.dataPath(node)));
            }
        }
        for (Path record : within("the clients", directory.root().resolve("clients"), checks)) {
            String file = record.getFileName().toString();
            if (file.matches(".+" + RECORD)) {
                String name = "client " + file.replaceFirst(RECORD, "$1");
                checks.add(StoreCheck.of(name, record, () -> ClientRecord.inspect(record, descriptor.id())));
            }
        }
        return checks;
    }

    /** What is in a folder, in order; one that is there and cannot be listed is a finding: nobody knows what it holds. */
    private static List<Path> within(String whose, Path folder, List<StoreCheck> checks) {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException unreadable) {
            checks.add(StoreCheck.unreadable(whose, folder, unreadable));
            return List.of();
        }
    }

    /**
     * One node.
     *
     * @param data where it keeps its data; null for the usual place
     * @throws IllegalArgumentException when the deployment has no such node
     */
    StoreCheck node(String name, @Nullable Path data) throws IOException {
        NodeId node = NodeName.of(descriptor, "--node", name).id();
        return check(node, data == null ? directory.dataPath(node) : data);
    }

    private StoreCheck check(NodeId node, Path data) throws IOException {
        if (node.role() == Role.APPSERVER) {
            StoreOwner owner =
                    new StoreOwner(descriptor.id(), node, descriptor.node(node).key());
            return StoreCheck.of(node.toString(), data.resolve(JournalStore.DIRECTORY), () -> appserver(data, owner));
        }
        return StoreCheck.of(
                node.toString(),
                data.resolve(DurableRecord.DIRECTORY),
                () -> DurableRecord.inspect(data, descriptor.id(), node.index()));
    }

    private static JournalInspection appserver(Path data, StoreOwner owner) throws IOException {
        JournalInspection found = JournalStore.inspect(data, owner);
        if (!found.made()) {
            throw new IOException("there is no store in " + data
                    + ", or none that was made whole: a server that starts here" + " is amnesiac");
        }
        return found;
    }

    /** The journal in a directory that is a node's data or a client's record; empty in any other. */
    static Optional<Path> journal(Path directory) throws IOException {
        for (Path each : List.of(directory, directory.resolve(DurableRecord.DIRECTORY))) {
            if (JournalInspection.isMade(new DirectoryReader(each))) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Reads a journal without knowing whose it is. */
    static StoreCheck structure(Path shown, Path journal) throws IOException {
        return StoreCheck.of(shown.toString(), journal, () -> JournalInspection.ofAnyone(new DirectoryReader(journal)));
    }
}
