package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.aspas.certify.journal.FileLayer;

/** A real file that is open for writing. */
final class ChannelFile implements FileLayer.OpenFile {
    private final Path path;
    private final FileChannel channel;
    private boolean grown = true;

    ChannelFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
        grown |= offset + bytes.remaining() > channel.size();
        long at = offset;
        try {
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        } catch (ClosedChannelException ours) {
            throw ours;
        } catch (IOException full) { // The system does not say which file has no room.
            throw named(full);
        }
    }

    /** A file that kept its length has no metadata that matter. */
    @Override
    public void force() throws IOException {
        try {
            channel.force(grown);
        } catch (ClosedChannelException ours) {
            throw ours;
        } catch (IOException lost) {
            throw named(lost);
        }
        grown = false;
    }

    private FileSystemException named(IOException failed) {
        FileSystemException named = new FileSystemException(path.toString(), null, failed.getMessage());
        named.initCause(failed);
        return named;
    }

    @Override
    public void close() {
        DirectoryFiles.closeQuietly(channel);
    }
}
