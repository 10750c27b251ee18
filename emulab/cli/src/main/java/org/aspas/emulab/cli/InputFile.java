package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that the command line names. */
final class InputFile {
    private InputFile() {}

    /**
     * All its bytes.
     *
     * @throws IllegalArgumentException naming the file when it is missing, no regular file, or may not be read
     */
    static byte[] bytes(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException(file + " is missing or cannot be read");
        }
        return Files.readAllBytes(file);
    }
}
