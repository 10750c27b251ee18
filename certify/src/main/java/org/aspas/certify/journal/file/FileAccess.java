package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Who may use a file or a directory that is made, whatever the process's umask says: the umask only takes more away. On a file system
 * without such permissions it is as usual there. What exists already stays as it is.
 */
public enum FileAccess {
    /** Its owner alone. */
    OWNER("rw-------", "rwx------"),
    /** Everybody reads, its owner alone writes. */
    READERS("rw-r--r--", "rwxr-xr-x");

    private final String file;
    private final String directory;

    FileAccess(String file, String directory) {
        this.file = file;
        this.directory = directory;
    }

    /** The attributes to create a file at this path with. */
    public FileAttribute<?>[] ofFile(Path path) {
        return attributes(path, file);
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return has(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean has(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes a directory, and those above it, in so far as they are missing. */
    public Path directories(Path path) throws IOException {
        return Files.createDirectories(path, attributes(path, directory));
    }
}
