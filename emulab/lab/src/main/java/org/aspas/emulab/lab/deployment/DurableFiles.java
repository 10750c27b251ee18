package org.aspas.emulab.lab.deployment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.aspas.certify.journal.file.DirectoryFiles;

/** New files that are on the disk when their writing returns. */
final class DurableFiles {
    private DurableFiles() {}

    /**
     * Writes a file that is not there yet, and forces its content. Its name is durable after {@link DirectoryFiles#forceDirectory(Path)}.
     *
     * @throws java.nio.file.FileAlreadyExistsException when there is one of that name
     */
    static void write(Path path, byte[] content, FileAttribute<?>... attributes) throws IOException {
        Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(path, fresh, attributes)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }
}
