package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.certify.identity.Descriptor;
import org.aspas.emulab.testbed.backup.BackupFile;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas snapshot}: verifies the certified state as a whole. */
@Command(
        name = "snapshot",
        description = "Verify snapshots of the certified state.",
        footerHeading = "%nExamples:%n",
        footer = {"  aspas snapshot verify monday.aspas", "  aspas snapshot verify --from 0 --dir lab --json"},
        subcommands = SnapshotCommand.Verify.class,
        synopsisSubcommandLabel = "verify")
final class SnapshotCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new IllegalArgumentException("snapshot needs 'verify'; see aspas snapshot --help");
    }

    /** Verifies every part of one. */
    @Command(
            name = "verify",
            description = {
                "Read a backup, or get the certified state from a running appserver, and verify every part of it: the",
                "certificate by its signatures, each object and each client's record by the certified root."
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:every part matches the certificate",
                "1:a part does not match, or the file is incomplete or of another deployment",
                "2:the command line or a file that it names is wrong",
                "3:with --from: the appserver cannot be reached or does not answer in time"
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  aspas snapshot verify monday.aspas --dir lab",
                "  aspas snapshot verify --from eu.example:8000 --dir lab --json | jq .objects_per_second"
            })
    static final class Verify implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        @Parameters(arity = "0..1", paramLabel = "FILE", description = "File written by 'aspas backup'.")
        private @Nullable Path file;

        @Option(
                names = "--from",
                paramLabel = "SERVER",
                description = "Appserver to ask: its index, or the HOST:PORT where it serves clients.")
        private @Nullable String from;

        @Option(
                names = "--dir",
                paramLabel = "DIR",
                description = {
                    "The deployment's directory (with --from, default: $ASPAS_DIR, else the current one).",
                    "Without it a FILE is verified by its own descriptor, which its author chose."
                })
        private @Nullable Path directory;

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
            Path backup = file;
            String server = from;
            if ((backup == null) == (server == null)) {
                throw new ParameterException(spec.commandLine(), "give either a FILE or --from");
            }
            try {
                if (backup != null) {
                    verify(backup);
                } else {
                    verify(server);
                }
            } catch (SnapshotCheck.WrongSnapshot | BackupFile.Unreadable wrong) {
                throw new CommandFailed(String.valueOf(wrong.getMessage()));
            }
            return ExitCodes.DONE;
        }

        private void verify(Path backup)
                throws IOException, BackupFile.Unreadable, SnapshotCheck.WrongSnapshot, CommandFailed,
                        DeploymentDirectory.UnusableDirectory {
            Descriptor expected = directory == null ? null : new DeploymentDirectory(directory).descriptor();
            long begun = System.nanoTime();
            SnapshotCheck check = SnapshotFile.check(backup, expected);
            SnapshotReport report = SnapshotReport.of(check, Files.size(backup), begun);
            try (BackupFile opened = BackupFile.open(backup)) {
                report.print(json, opened.descriptor());
                if (!json.wanted()) {
                    json.out()
                            .println("deployment " + opened.descriptor().name() + " "
                                    + opened.descriptor().id()
                                    + (expected == null
                                            ? ", by the descriptor in the file, signed by operator " + opened.operator()
                                            : ""));
                }
            }
        }

        private void verify(String server)
                throws IOException, SnapshotCheck.WrongSnapshot, TimeoutException, InterruptedException,
                        DeploymentDirectory.UnusableDirectory {
            String usual = System.getenv().getOrDefault("ASPAS_DIR", ".");
            DeploymentDirectory deployment = new DeploymentDirectory(directory == null ? Path.of(usual) : directory);
            Descriptor descriptor = deployment.descriptor();
            long begun = System.nanoTime();
            AtomicLong bytes = new AtomicLong();
            SnapshotCheck check = new SnapshotServers(
                            descriptor,
                            server,
                            trust.of(deployment).http().build(),
                            Duration.ofSeconds(timeout),
                            spec.commandLine().getErr())
                    .run(download -> download.run(part -> bytes.addAndGet(part.length)));
            SnapshotReport.of(check, bytes.get(), begun).print(json, descriptor);
        }
    }
}
