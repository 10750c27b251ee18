package org.aspas.bftcluster.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.certify.journal.FileLayer;

/** Files on a disk that is full for a while: what is written then stays in part, as on a real one. Counts the forces. */
final class FullFiles implements FileLayer {
    volatile boolean full;
    final AtomicInteger forces = new AtomicInteger();
    private final FileLayer files;

    FullFiles(FileLayer files) {
        this.files = files;
    }

    @Override
    public List<String> names() throws IOException {
        return files.names();
    }

    @Override
    public String describe(String name) {
        return files.describe(name);
    }

    @Override
    public byte[] read(String name) throws IOException {
        return files.read(name);
    }

    @Override
    public OpenFile create(String name) throws IOException {
        OpenFile file = files.create(name);
        return new OpenFile() {
            @Override
            public void write(ByteBuffer bytes, long offset) throws IOException {
                boolean refused = full;
                if (refused) {
                    bytes.limit(bytes.position() + bytes.remaining() / 2);
                }
                file.write(bytes, offset);
                if (refused) {
                    throw new IOException("no space left on device");
                }
            }

            @Override
            public void force() throws IOException {
                forces.incrementAndGet();
                file.force();
            }

            @Override
            public void close() {
                file.close();
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        files.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        files.delete(name);
    }

    @Override
    public void forceDirectory() throws IOException {
        files.forceDirectory();
    }

    @Override
    public long freshMark() {
        return files.freshMark();
    }

    @Override
    public void close() {
        files.close();
    }
}
