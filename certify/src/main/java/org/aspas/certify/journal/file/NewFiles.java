package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
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

    private final Path directory;
    private final DirectoryReader reader;
    private final Predicate<String> secret;
    private final SecureRandom random = new SecureRandom();

    private NewFiles(Path directory, Predicate<String> secret) {
        this.directory = directory;
        this.reader = new DirectoryReader(directory);
        this.secret = secret;
    }

    /**
     * Opens a directory, which is made durably when it is missing, with those above it.
     *
     * @param access who may use the directories that are made
     * @param secret whether a file of this name is for its owner alone; the others everybody may read
     */
    public static NewFiles in(Path directory, FileAccess access, Predicate<String> secret) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        DirectoryFiles.make(absolute, access);
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
        FileAccess access = secret.test(name) ? FileAccess.OWNER : FileAccess.READERS;
        return new ChannelFile(file, FileChannel.open(file, FRESH, access.ofFile(file)));
    }

    /**
     * Gives a file another name, at once, so that of several who give the same one a single one succeeds.
     *
     * @throws java.nio.file.FileAlreadyExistsException when there is one of that name
     */
    @Override
    public void rename(String from, String to) throws IOException {
        try {
            Files.createLink(directory.resolve(to), directory.resolve(from));
        } catch (FileAlreadyExistsException taken) {
            throw taken;
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            // On a file system without links the check and the move are not one step.
            Files.move(directory.resolve(from), directory.resolve(to));
            return;
        }
        Files.delete(directory.resolve(from));
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    @Override
    public void forceDirectory() throws IOException {
        DirectoryFiles.forceDirectory(directory);
    }

    @Override
    public long freshMark() {
        return DirectoryFiles.freshMark(random);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
