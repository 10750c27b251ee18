package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.TailCut;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
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
            "Read what nodes and clients of this machine keep, and say whether it is whole. No file is changed.",
            "It says what a start would say: damage by file and byte, and how many bytes of an interrupted write it"
                    + " would cut off. A store may be in use meanwhile: then its newest records may be missing."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all stores are whole",
            "1:one belongs to another deployment or node, or cannot be read",
            "2:the command line or a file that it names is wrong",
            "6:one is damaged"
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
            description =
                    "The deployment's directory; or one node's data or one client's record, of which it is then not "
                            + "checked whose they are.")
    private Path directory = Path.of(".");

    @Option(
            names = "--node",
            paramLabel = "NODE",
            description =
                    "Only this one, such as bftserver-0 (default: all that keep something in DIR, and all clients).")
    private @Nullable String node;

    @Option(
            names = "--data",
            paramLabel = "DATADIR",
            description = "Where --node keeps its data (default: DIR/data/NODE).")
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
                + (inUse ? "being written" : "of an interrupted write, and a start cuts them off");
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
}
