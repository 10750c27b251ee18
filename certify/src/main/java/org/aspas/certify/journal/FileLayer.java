package org.aspas.certify.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The files of one directory: the port between the journal and a disk. What is not forced may be lost at a power cut, wholly
 * or in part, and in any order: bytes of a file until {@link OpenFile#force}, its name until {@link #forceDirectory}. Used by
 * one thread at a time. Every method fails with an {@link IOException} when the disk does.
 */
public interface FileLayer extends AutoCloseable {
    List<String> names() throws IOException;

    /** How people find a file: its path. */
    String describe(String name);

    byte[] read(String name) throws IOException;

    /** A new file to write, in place of one of the same name. */
    OpenFile create(String name) throws IOException;

    /** Gives a file another name, at once and in place of the file that had it. */
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    /** Makes all creations, new names and removals so far durable. */
    void forceDirectory() throws IOException;

    /** A number other than zero that nobody can guess, each time another. */
    long freshMark();

    /** Lets others use the directory. */
    @Override
    void close();

    /** A file that is open for writing. */
    interface OpenFile extends AutoCloseable {
        /** Writes the rest of a buffer at an offset in bytes. */
        void write(ByteBuffer bytes, long offset) throws IOException;

        /** Makes all that was written so far durable. After a failure nothing that was not durable before may be trusted. */
        void force() throws IOException;

        /** Closes it; forces nothing. */
        @Override
        void close();
    }
}
