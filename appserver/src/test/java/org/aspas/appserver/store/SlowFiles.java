package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.aspas.certify.journal.FileLayer;

/** Files on a disk that is full for a while, and that forces only when a test lets it. */
final class SlowFiles implements FileLayer {
    volatile boolean full;
    /** A force takes one of them. */
    final Semaphore forces = new Semaphore(Integer.MAX_VALUE);

    private final FileLayer files;

    SlowFiles(FileLayer files) {
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
        refuseWhenFull();
        OpenFile file = files.create(name);
        return new OpenFile() {
            @Override
            public void write(ByteBuffer bytes, long offset) throws IOException {
                refuseWhenFull();
                file.write(bytes, offset);
            }

            @Override
            public void force() throws IOException {
                forces.acquireUninterruptibly();
                file.force();
            }

            @Override
            public void close() {
                file.close();
            }
        };
    }

    private void refuseWhenFull() throws IOException {
        if (full) {
            throw new IOException("no space left on device");
        }
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
