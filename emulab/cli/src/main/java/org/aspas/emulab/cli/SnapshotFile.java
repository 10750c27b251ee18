package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.certify.identity.Descriptor;
import org.aspas.emulab.testbed.backup.BackupFile;
import org.jspecify.annotations.Nullable;

/** A backup that the command line names. */
final class SnapshotFile {
    private SnapshotFile() {}

    /**
     * Reads and verifies all of it.
     *
     * @param expected the deployment that it must be of; null for that which the file says
     * @throws IllegalArgumentException naming the file when it is missing or may not be read
     * @throws CommandFailed when it is of another deployment
     */
    static SnapshotCheck check(Path file, @Nullable Descriptor expected)
            throws IOException, BackupFile.Unreadable, SnapshotCheck.WrongSnapshot, CommandFailed {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(file + " is missing or cannot be read");
        }
        try (BackupFile backup = BackupFile.open(file)) {
            Descriptor descriptor = backup.descriptor();
            if (expected != null && !expected.id().equals(descriptor.id())) {
                throw new CommandFailed(
                        file + " is of another deployment: " + descriptor.name() + " " + descriptor.id());
            }
            SnapshotCheck check = SnapshotCheck.of(descriptor, backup.head());
            backup.read(check::take);
            return check;
        }
    }
}
