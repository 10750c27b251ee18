package org.aspas.bftcluster.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the bytes of a {@link FileRecord} lie: the port between the record and a disk. In production it is a file; the
 * simulator puts a disk here that fails as disks do, so that the record's own reading and writing is what recovers. Used by
 * one thread at a time, and by one record at a time.
 */
public interface RecordStorage extends AutoCloseable {
    /** The name for messages: the file. */
    Path file();

    /**
     * All bytes, from the first one; empty when nothing was ever stored.
     *
     * @throws IOException when they cannot be read
     */
    Optional<byte[]> read() throws IOException;

    /**
     * Cuts off what is behind a length, durably.
     *
     * @param length how many bytes stay, at most as many as there are
     * @throws IOException when that failed
     */
    void cut(long length) throws IOException;

    /**
     * Adds bytes at the end. They are durable when this returns.
     *
     * @throws IOException when they, or a part of them, may not be durable: nothing may be added before a {@link #replace}
     */
    void append(byte[] bytes) throws IOException;

    /**
     * Puts other bytes in place of all, at once: after a crash either all old or all new ones are there.
     *
     * @throws IOException when that failed, and the old ones or the new ones are there: nothing may be added before it is done again
     */
    void replace(byte[] bytes) throws IOException;

    /** Releases what is held open. */
    @Override
    void close();
}
