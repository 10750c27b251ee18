package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.certify.journal.FileLayer;

/**
 * A real directory that gets new files beside those that it has, without a lock. No file is written over: {@link #create} fails when there
 * is one of that name. For one thread.
 */
public final class NewFiles implements FileLayer {
    private static final Set<StandardOpenOption> FRESH =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final FileAttribute<?> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final DirectoryReader reader;
    private final Predicate<String> secret;

    private NewFiles(Path directory, Predicate<String> secret) {
        this.directory = directory;
        this.reader = new DirectoryReader(directory);
        this.secret = secret;
    }

    /**
     * Opens a directory, which is made durably when it is missing, with those above it.
     *
     * @param secret whether a file of this name is for its owner alone
     * @throws IOException when it cannot be made
     */
    public static NewFiles in(Path directory, Predicate<String> secret) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        DirectoryFiles.make(absolute);
        return new NewFiles(absolute, secret);
    }

    @Override
    public List<String> names() throws IOException {
        return reader.names();
    }

    @Override
    public String describe(String name) {
        return reader.describe(name);
    }

    @Override
    public byte[] read(String name) throws IOException {
        return reader.read(name);
    }

    /**
     * A new file to write.
     *
     * @throws java.nio.file.FileAlreadyExistsException when there is one of that name
     */
    @Override
    public OpenFile create(String name) throws IOException {
        Path file = directory.resolve(name);
        return new ChannelFile(
                secret.test(name) ? FileChannel.open(file, FRESH, OWNER_ALONE) : FileChannel.open(file, FRESH));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        DirectoryFiles.rename(directory, from, to);
    }

    @Override
    public void delete(String name) {
        throw new UnsupportedOperationException("nothing is removed from " + directory);
    }

    @Override
    public void forceDirectory() throws IOException {
        DirectoryFiles.forceDirectory(directory);
    }

    @Override
    public long freshMark() {
        throw new UnsupportedOperationException("no journal is in " + directory);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
