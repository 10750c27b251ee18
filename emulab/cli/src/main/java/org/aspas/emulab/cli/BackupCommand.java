package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.testbed.backup.BackupFile;
import org.aspas.emulab.testbed.backup.StoredSnapshot;
import org.aspas.emulab.testbed.backup.VerifiedSnapshot;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas backup}: the certified state as a file. */
@Command(
        name = "backup",
        description = {
            "Write the certified state of a deployment to a file: all objects, the certified record of each client, the"
                    + " certificate with its signatures, the heads of the logs, and the descriptor. Every part is"
                    + " verified before it is written. The file contains no private key, and no update that a"
                    + " certificate does not cover yet.",
            "The state comes from a running appserver, which serves it to anyone; the deployment keeps running."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the backup was written",
            "1:the received state does not match its certificate, or there is no certificate yet",
            "2:the command line or a file that it names is wrong",
            "3:no appserver can be reached or answers in time",
            "6:with --stored: the store is damaged"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas backup lab --out monday.aspas",
            "  aspas backup lab --out monday.aspas --from 2 --json",
            "  aspas down lab && aspas backup lab --out monday.aspas --stored appserver-0"
        })
final class BackupCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "File to write; an existing one is replaced once the backup is complete.")
    private Path out = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "SERVER",
            description =
                    "Appserver to ask: its index, or the HOST:PORT where it serves clients (default: each in turn).")
    private @Nullable String from;

    @Option(
            names = "--stored",
            paramLabel = "NODE",
            description = "Read the store of this stopped appserver, such as appserver-0, in DIR/data.")
    private @Nullable String stored;

    @Option(
            names = "--timeout",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "Seconds to wait for each answer, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--timeout", timeout, 1, 3_600);
        if (from != null && stored != null) {
            throw new ParameterException(spec.commandLine(), "--from and --stored exclude each other");
        }
        Path folder = out.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--out " + out + ": " + folder + " is not a directory");
        }
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        Path unfinished = out.resolveSibling(out.getFileName() + ".part");
        long begun = System.nanoTime();
        try {
            SnapshotCheck check = write(deployment, descriptor, unfinished);
            SnapshotReport report = SnapshotReport.of(check, Files.size(unfinished), begun);
            Files.move(unfinished, out, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            report.print(json, descriptor);
            if (!json.wanted()) {
                json.out().println("written to " + out);
            }
            return ExitCodes.DONE;
        } catch (SnapshotCheck.WrongSnapshot wrong) {
            throw new CommandFailed(String.valueOf(wrong.getMessage()));
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private SnapshotCheck write(DeploymentDirectory deployment, Descriptor descriptor, Path file) throws Exception {
        String node = stored;
        if (node != null) {
            NodeId server = NodeName.of(descriptor, descriptor.nodes(Role.APPSERVER), "--stored", node)
                    .id();
            return write(deployment, file, new StoredSnapshot(descriptor, server, deployment.dataPath(server)));
        }
        return new SnapshotServers(
                        descriptor,
                        from,
                        trust.of(deployment).http().build(),
                        Duration.ofSeconds(timeout),
                        spec.commandLine().getErr())
                .run(download -> write(deployment, file, download));
    }

    private static SnapshotCheck write(DeploymentDirectory deployment, Path file, VerifiedSnapshot snapshot)
            throws IOException, SnapshotCheck.WrongSnapshot, java.util.concurrent.TimeoutException,
                    InterruptedException {
        try (BackupFile.Writer writer =
                new BackupFile.Writer(file, deployment.descriptorFile(), deployment.operator())) {
            SnapshotCheck check = snapshot.run(writer::write);
            writer.end();
            return check;
        } catch (DeploymentDirectory.UnusableDirectory unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
    }
}
