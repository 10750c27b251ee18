package org.aspas.client.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.aspas.certify.journal.FileLayer;

/** Real files that count what is written, and where the process can end in a call that changes something. */
final class CountedFiles implements FileLayer {
    /** The process has ended. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final FileLayer files;
    private long bytes;
    private int calls;
    private int endsAt = Integer.MAX_VALUE;

    CountedFiles(FileLayer files) {
        this.files = files;
    }

    /** How many bytes were written. */
    long bytes() {
        return bytes;
    }

    /** How many calls were made that change something. */
    int calls() {
        return calls;
    }

    /** Lets the process end in such a call, counted from 0; half of what that call writes is written. */
    void endAt(int call) {
        endsAt = call;
    }

    /** Whether the process ends in this call. */
    private boolean ends() {
        return calls++ == endsAt;
    }

    private void call() {
        if (ends()) {
            throw new Killed();
        }
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
        call();
        OpenFile file = files.create(name);
        return new OpenFile() {
            @Override
            public void write(ByteBuffer buffer, long offset) throws IOException {
                if (ends()) {
                    file.write(buffer.limit(buffer.position() + buffer.remaining() / 2), offset);
                    throw new Killed();
                }
                bytes += buffer.remaining();
                file.write(buffer, offset);
            }

            @Override
            public void force() throws IOException {
                call();
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
        call();
        files.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        call();
        files.delete(name);
    }

    @Override
    public void forceDirectory() throws IOException {
        call();
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
