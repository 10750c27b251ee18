package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** A copy of a deployment that a test may damage: its keys take seconds to make. */
final class LabCopy {
    private LabCopy() {}

    /**
     * Copies all files, with their permissions.
     *
     * @param copy where to; it does not exist yet
     */
    static Path of(Path lab, Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(lab)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(lab.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }
}
