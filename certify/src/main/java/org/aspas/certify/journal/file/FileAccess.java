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

    private static final FileAttribute<?>[] NONE = {};

    private final FileAttribute<?>[] file;
    private final FileAttribute<?>[] directory;

    FileAccess(String file, String directory) {
        this.file = attributes(file);
        this.directory = attributes(directory);
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }

    /** What to make a file at this path with. */
    public FileAttribute<?>[] ofFile(Path path) {
        return has(path) ? file : NONE;
    }

    private static boolean has(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes a directory, and those above it, in so far as they are missing. */
    public Path directories(Path path) throws IOException {
        return Files.createDirectories(path, has(path) ? directory : NONE);
    }
}
