package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.file.Path;

/** A directory that one process at a time may use is in use. */
public final class DirectoryInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    DirectoryInUseException(Path directory) {
        super(directory + " is in use by another process, or twice by this one");
    }
}
