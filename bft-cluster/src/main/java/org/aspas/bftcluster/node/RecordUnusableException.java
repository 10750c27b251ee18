package org.aspas.bftcluster.node;

import java.io.IOException;
import java.nio.file.Path;

/** The durable record of a bftserver cannot be used; the message says which file, why, and what to do. */
public final class RecordUnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    RecordUnusableException(Path file, String why) {
        super(file + ": " + why);
    }

    RecordUnusableException(Path file, String why, IOException cause) {
        super(file + ": " + why, cause);
    }

    /** As it is, or told of this file. */
    static RecordUnusableException of(Path file, IOException failed) {
        return failed instanceof RecordUnusableException unusable
                ? unusable
                : new RecordUnusableException(file, "it cannot be read or written: " + failed.getMessage(), failed);
    }
}
