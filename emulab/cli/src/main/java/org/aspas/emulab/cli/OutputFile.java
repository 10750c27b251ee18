package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that the command line names for a command to write. */
final class OutputFile {
    private OutputFile() {}

    /**
     * Writes all of it. Where that fails, as on a full disk, no half of it stays.
     *
     * @throws FileSystemException naming the file
     */
    static void write(Path file, byte[] bytes) throws IOException {
        try {
            Files.write(file, bytes);
        } catch (FileSystemException named) {
            throw named;
        } catch (IOException full) {
            if (Files.isRegularFile(file)) {
                Files.delete(file);
            }
            throw new FileSystemException(file.toString(), null, full.getMessage());
        }
    }
}
