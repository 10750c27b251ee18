package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.journal.ForeignJournalException;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.client.api.ClientRecord;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas fsck}: what the stores of a deployment hold, and whether they are whole. It changes no file. */
@Command(
        name = "fsck",
        description = {
            "Check whether the stores of nodes and clients on this machine are whole. No file is changed.",
            "It reports what the next start would find: damage by file and byte, and how many bytes of an interrupted"
                    + " write would be cut off. A store may be in use during the check; its newest records may then be"
                    + " missing from the report."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all stores are whole",
            "1:a store belongs to another deployment or node, or cannot be read",
            "2:the command line or a file that it names is wrong",
            "6:a store is damaged"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas fsck lab",
            "  aspas fsck lab --node bftserver-0 --data /srv/bftserver-0",
            "  aspas fsck lab/data/bftserver-0 --json | jq '.stores[].damage'"
        })
final class FsckCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            paramLabel = "DIR",
            description = "The deployment's directory; or the data of one node or the record of one client, whose owner"
                    + " is then not checked.")
    private Path directory = Path.of(".");

    @Option(
            names = "--node",
            paramLabel = "NODE",
            description = "Check only this node, such as bftserver-0 (default: all nodes that have data in DIR, and all"
                    + " clients).")
    private @Nullable String node;

    @Option(
            names = "--data",
            paramLabel = "DATADIR",
            description = "Directory of the data of --node (default: DIR/data/NODE).")
    private @Nullable Path data;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException {
        List<StoreCheck> checks = checks();
        if (json.wanted()) {
            printJson(checks);
        } else {
            print(checks);
        }
        if (checks.stream().anyMatch(check -> check.state() == StoreCheck.State.DAMAGED)) {
            return ExitCodes.DAMAGED;
        }
        return checks.stream().allMatch(check -> check.state().isWhole()) ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private List<StoreCheck> checks() throws DeploymentDirectory.UnusableDirectory, IOException {
        if (data != null && node == null) {
            throw new ParameterException(spec.commandLine(), "--data needs a --node");
        }
        Optional<Path> journal = StoreChecks.journal(directory);
        if (node == null && journal.isPresent()) {
            return List.of(StoreChecks.structure(directory, journal.get()));
        }
        StoreChecks stores = new StoreChecks(new DeploymentDirectory(directory));
        return node == null ? stores.all() : List.of(stores.node(node, data));
    }

    private void print(List<StoreCheck> checks) {
        PrintWriter out = json.out();
        for (StoreCheck check : checks) {
            out.println(check.whose() + (check.inUse() ? " (in use)" : "") + ": " + words(check));
        }
        if (checks.isEmpty()) {
            out.println("nothing is kept here yet");
        }
    }

    private static String words(StoreCheck check) {
        if (!check.state().isWhole()) {
            return check.state().words() + ": " + check.problem();
        }
        return check.found()
                .filter(JournalInspection::made)
                .map(found -> {
                    String kinds = found.kinds().entrySet().stream()
                            .map(kind -> kind.getKey() + " " + kind.getValue())
                            .collect(Collectors.joining(", "));
                    return String.format(
                            Locale.ROOT,
                            "whole; %s, %s; %s%s%s",
                            Words.count(found.segments(), "segment"),
                            Words.count(found.bytes(), "byte"),
                            Words.count(found.next() - found.oldest(), "record"),
                            kinds.isEmpty() ? "" : " (" + kinds + ")",
                            tail(found.tailCut(), check.inUse()));
                })
                .orElse("nothing is kept here yet");
    }

    private static String tail(TailCut cut, boolean inUse) {
        if (cut.bytes() == 0) {
            return "";
        }
        return "; " + cut.bytes() + " bytes from byte " + cut.offset() + " of " + cut.file() + " on are "
                + (inUse ? "being written" : "left of an interrupted write, and the next start cuts them off");
    }

    private void printJson(List<StoreCheck> checks) throws IOException {
        ArrayNode stores = JSON.createArrayNode();
        for (StoreCheck check : checks) {
            ObjectNode store = stores.addObject()
                    .put("store", check.whose())
                    .put("path", check.path().toString())
                    .put("state", check.state().word())
                    .put("in_use", check.inUse());
            check.found().ifPresent(found -> {
                store.put("segments", found.segments())
                        .put("bytes", found.bytes())
                        .put("oldest", found.oldest())
                        .put("next", found.next());
                ObjectNode kinds = store.putObject("records");
                found.kinds().forEach(kinds::put);
                store.put("tail_cut", found.tailCut().bytes());
            });
            if (!check.state().isWhole()) {
                store.put("damage", check.problem());
            }
        }
        ObjectNode report = JSON.createObjectNode().put("directory", directory.toString());
        report.set("stores", stores);
        json.print(report);
    }

    /** Which stores a deployment's directory holds, and how each is read. */
    private static final class StoreChecks {
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
                StoreOwner owner = new StoreOwner(
                        descriptor.id(), node, descriptor.node(node).key());
                return StoreCheck.of(
                        node.toString(), data.resolve(JournalStore.DIRECTORY), () -> appserver(data, owner));
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
                        + ", or its creation was interrupted: a server that starts here is amnesiac");
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
            return StoreCheck.of(
                    shown.toString(), journal, () -> JournalInspection.ofAnyone(new DirectoryReader(journal)));
        }
    }

    /**
     * What one store holds.
     *
     * @param whose the node, or {@code client NAME}
     * @param path the journal's directory
     * @param found what it holds; empty when it is not whole
     * @param problem what is wrong, in words; empty when it is whole
     */
    private record StoreCheck(
            String whose, Path path, State state, boolean inUse, Optional<JournalInspection> found, String problem) {
        /** How often a store that is in use, perhaps since just now, is read before damage is believed: its files change meanwhile. */
        private static final int TRIES = 5;

        enum State {
            WHOLE("whole", "whole"),
            NONE("none", "nothing is kept here yet"),
            DAMAGED("damaged", "DAMAGED"),
            FOREIGN("foreign", "NOT THIS ONE'S"),
            UNREADABLE("unreadable", "CANNOT BE READ");

            private final String word;
            private final String words;

            State(String word, String words) {
                this.word = word;
                this.words = words;
            }

            /** For programs. */
            String word() {
                return word;
            }

            /** For people. */
            String words() {
                return words;
            }

            boolean isWhole() {
                return this == WHOLE || this == NONE;
            }
        }

        /** Reads a store, without a change to it. */
        @FunctionalInterface
        interface Reader {
            JournalInspection inspect() throws IOException;
        }

        static StoreCheck of(String whose, Path journal, Reader reader) throws IOException {
            for (int i = 1; ; i++) {
                boolean inUse = DirectoryReader.inUse(journal);
                try {
                    JournalInspection found = reader.inspect();
                    State state = found.made() ? State.WHOLE : State.NONE;
                    return new StoreCheck(whose, journal, state, inUse, Optional.of(found), "");
                } catch (IOException failed) {
                    inUse |= DirectoryReader.inUse(journal);
                    if (!inUse || i == TRIES) {
                        return new StoreCheck(
                                whose, journal, state(failed), inUse, Optional.empty(), UserErrors.sentence(failed));
                    }
                }
            }
        }

        static StoreCheck unreadable(String whose, Path folder, IOException failed) {
            return new StoreCheck(
                    whose, folder, State.UNREADABLE, false, Optional.empty(), UserErrors.sentence(failed));
        }

        private static State state(IOException failed) {
            if (failed instanceof JournalDamagedException) {
                return State.DAMAGED;
            }
            return failed instanceof ForeignJournalException ? State.FOREIGN : State.UNREADABLE;
        }
    }
}
