package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.certify.identity.Descriptor;
import org.aspas.emulab.testbed.backup.BackupFile;
import org.aspas.emulab.testbed.backup.MovedClients;
import org.aspas.emulab.testbed.backup.RestoreBootstrap;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas restore}: a new deployment that begins with the state of a backup. */
@Command(
        name = "restore",
        description = {
            "Make a new deployment, as 'aspas init' does, whose appservers and bftservers start with the state of a"
                    + " backup.",
            "Its keys and its id are new; the numbers of its certificates, of the servers' entries and of the clients'"
                    + " updates continue. Every part of the backup is verified before anything is written."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the deployment was made",
            "1:the backup is incomplete, does not match its certificate, or is of another deployment than --of",
            "2:the command line or a file that it names is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas restore monday.aspas lab2 --of lab --name lab2",
            "  aspas restore monday.aspas lab2 --of lab --json | jq .certificate"
        })
final class RestoreCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BACKUP", description = "File written by 'aspas backup'.")
    private Path backup = Path.of("");

    @Parameters(index = "1", paramLabel = "DIR", description = "The directory to write; it must not hold a deployment.")
    private Path directory = Path.of("");

    @Option(
            names = "--of",
            paramLabel = "OLDDIR",
            description = "Directory of the deployment that the backup must be of (default: accept the descriptor in"
                    + " the backup).")
    private @Nullable Path old;

    @Option(
            names = "--clients",
            description = "Copy the clients of --of, with their keys and records, so that they resend the updates that"
                    + " the backup's certificate does not cover; each counts once. None of the clients may be running.")
    private boolean clients;

    @Mixin
    private NewDeploymentOptions options = new NewDeploymentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    private List<String> moved = List.of();

    @Override
    public Integer call() throws Exception {
        try {
            return restore();
        } catch (SnapshotCheck.WrongSnapshot | BackupFile.Unreadable wrong) {
            throw new CommandFailed(String.valueOf(wrong.getMessage()));
        }
    }

    private Integer restore() throws Exception {
        if (clients && old == null) {
            throw new ParameterException(spec.commandLine(), "--clients needs --of OLDDIR");
        }
        DeploymentDirectory written = new DeploymentDirectory(directory);
        written.requireNew();
        Descriptor expected = old == null ? null : new DeploymentDirectory(old).descriptor();
        long begun = System.nanoTime();
        SnapshotCheck check = SnapshotFile.check(backup, expected);
        SnapshotReport report = SnapshotReport.of(check, Files.size(backup), begun);
        Descriptor before;
        try (BackupFile file = BackupFile.open(backup)) {
            before = file.descriptor();
        }
        Deployment made = options.generate(before.quorums(), before.limits());
        RestoreBootstrap founding = new RestoreBootstrap(made, check.certificate());
        Path from = old;
        written.<Exception>write(made, () -> {
            founding.write(written, backup);
            if (clients && from != null) {
                moved = MovedClients.move(
                        new DeploymentDirectory(from),
                        written,
                        made.descriptor().id());
            }
        });
        print(report, before, made, founding);
        return ExitCodes.DONE;
    }

    private void print(SnapshotReport report, Descriptor before, Deployment made, RestoreBootstrap founding)
            throws IOException {
        if (json.wanted()) {
            ObjectNode out = new ObjectMapper().createObjectNode();
            out.put("directory", directory.toString());
            out.put("deployment", made.descriptor().id().toString());
            out.put("certificate", founding.first().number().value());
            out.put("hash", founding.first().hash().toString());
            out.put("clients", moved.size());
            out.set("backup", report.json(before));
            json.print(out);
            return;
        }
        json.out().println(report.words());
        json.out().println("of deployment " + before.name() + " " + before.id());
        json.out()
                .println("Deployment " + options.name() + " "
                        + made.descriptor().id() + " starts with that state, as certificate "
                        + founding.first().number() + ". It is written to " + directory + ".");
        json.out()
                .println("A node needs deployment.json, deployment.json.sig, operator.pub, its own files in keys/, and"
                        + " its own in data/.");
        if (!moved.isEmpty()) {
            json.out().println("Copied clients: " + String.join(", ", moved) + ".");
        }
        json.out().println("Keep operator.key in a safe place, offline. Never run the old deployment beside this one.");
    }
}
