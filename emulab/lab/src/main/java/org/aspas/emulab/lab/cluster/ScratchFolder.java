package org.aspas.emulab.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder whose files are of no use once its servers have stopped. */
final class ScratchFolder {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);

    private ScratchFolder() {}

    /** Removes it with all that is in it; what cannot be removed is logged, and left. */
    static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException left) {
            LOG.warn("what the servers kept is left in {}", folder, left);
        }
    }
}
