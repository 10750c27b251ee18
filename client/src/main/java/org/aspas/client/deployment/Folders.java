package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.certify.journal.file.NewFiles;

/** The disk that holds a deployment's files, as a port, so that tests can replace it. Used by one thread at a time. */
public interface Folders {
    /** Returns this machine's disk. */
    static Folders disk() {
        return new DiskFolders();
    }

    /** Returns whether a file or a folder exists at this path. */
    boolean present(Path path);

    /** Opens a folder for reading; a missing folder counts as empty. */
    FileLayer read(Path folder);

    /**
     * Opens a folder for adding files; it and its parents are durably created when they are missing. Existing files are never overwritten,
     * and files with {@code .key} in their names are readable by their owner only.
     *
     * @param access who may use the folders that are created
     * @throws IOException when the folder cannot be created
     */
    FileLayer add(Path folder, FileAccess access) throws IOException;

    /**
     * Opens and locks the folder of a journal; it and its parents are durably created when they are missing.
     *
     * @throws IOException when the folder cannot be created or is in use
     */
    FileLayer journal(Path folder) throws IOException;

    /** Returns the limits of a journal on this disk; the default keeps the usual ones. */
    default JournalLimits limits(JournalLimits usual) {
        return usual;
    }

    /** The folders of this machine's disk. */
    final class DiskFolders implements Folders {
        @Override
        public boolean present(Path path) {
            return Files.exists(path);
        }

        @Override
        public FileLayer read(Path folder) {
            return new DirectoryReader(folder);
        }

        @Override
        public FileLayer add(Path folder, FileAccess access) throws IOException {
            return NewFiles.in(folder, access, name -> name.contains(".key"));
        }

        @Override
        public FileLayer journal(Path folder) throws IOException {
            return DirectoryFiles.open(folder);
        }
    }
}
