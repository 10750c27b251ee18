package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.aspas.certify.journal.FileLayer;

/** A real file that is open for writing. */
final class ChannelFile implements FileLayer.OpenFile {
    private final FileChannel channel;
    private boolean grown = true;

    ChannelFile(FileChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
        grown |= offset + bytes.remaining() > channel.size();
        long at = offset;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /** A file that kept its length has no metadata that matter. */
    @Override
    public void force() throws IOException {
        channel.force(grown);
        grown = false;
    }

    @Override
    public void close() {
        DirectoryFiles.closeQuietly(channel);
    }
}
