package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.aspas.certify.journal.FileLayer;

/** The files of a directory, which are only read, whoever uses it. What would change one fails. For one thread. */
public final class DirectoryReader implements FileLayer {
    private final Path directory;

    /** A reader of this directory; one that is missing has no files. */
    public DirectoryReader(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** Whether this process or another one uses a directory now, as {@link LockedFile#isLocked} finds out. */
    public static boolean inUse(Path directory) throws IOException {
        return LockedFile.isLocked(directory.resolve(DirectoryFiles.LOCK));
    }

    @Override
    public List<String> names() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Override
    public String describe(String name) {
        return directory.resolve(name).toString();
    }

    @Override
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    @Override
    public OpenFile create(String name) throws IOException {
        throw refused();
    }

    @Override
    public void rename(String from, String to) throws IOException {
        throw refused();
    }

    @Override
    public void delete(String name) throws IOException {
        throw refused();
    }

    @Override
    public void forceDirectory() throws IOException {
        throw refused();
    }

    @Override
    public long freshMark() {
        throw new UnsupportedOperationException("nothing is written");
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    private IOException refused() {
        return new IOException(directory + " is only read");
    }
}
