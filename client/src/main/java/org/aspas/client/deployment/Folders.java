package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.file.Path;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.file.FileAccess;

/** Where a deployment's files are: the port between the making of a deployment and a disk. Used by one thread at a time. */
public interface Folders {
    static Folders disk() {
        return new DiskFolders();
    }

    /** Whether there is a file or a folder at this path. */
    boolean present(Path path);

    /** A folder that is only read; one that is missing has no files. */
    FileLayer read(Path folder);

    /**
     * A folder that gets new files, made durably when it is missing, with those above it. No file is written over, and files with
     * {@code .key} in their names are for their owner alone.
     *
     * @param access who may use the folders that are made
     */
    FileLayer add(Path folder, FileAccess access) throws IOException;

    /** The folder of a journal, which nobody else uses meanwhile; made durably when it is missing, with those above it. */
    FileLayer journal(Path folder) throws IOException;

    /** The limits of a journal here: the usual ones, where there is room for them. */
    default JournalLimits limits(JournalLimits usual) {
        return usual;
    }
}
