package org.aspas.bftcluster.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A disk that is full for a while: what is added then stays in part, as on a real one. */
final class FullDisk implements RecordStorage {
    volatile boolean full;
    private byte @Nullable [] content;

    @Override
    public Path file() {
        return Path.of("full-disk");
    }

    @Override
    public synchronized Optional<byte[]> read() {
        return Optional.ofNullable(content).map(byte[]::clone);
    }

    @Override
    public synchronized void cut(long length) {
        byte[] present = content;
        content = present == null ? null : Arrays.copyOf(present, (int) length);
    }

    @Override
    public synchronized void append(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] present = content;
        if (present != null) {
            out.writeBytes(present);
        }
        out.write(bytes, 0, full ? bytes.length / 2 : bytes.length);
        content = out.toByteArray();
        refuse();
    }

    @Override
    public synchronized void replace(byte[] bytes) throws IOException {
        refuse();
        content = bytes.clone();
    }

    private void refuse() throws IOException {
        if (full) {
            throw new IOException("no space left on device");
        }
    }

    @Override
    public void close() {
        // Nothing is held open.
    }
}
