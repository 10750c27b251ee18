package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import org.aspas.certify.journal.FileLayer;

/** The files of a real directory, which one process at a time uses. For one thread. */
public final class DirectoryFiles implements FileLayer {
    /** The file that is locked while the directory is in use. */
    public static final String LOCK = "journal.lock";

    private final Path directory;
    private final DirectoryReader reader;
    private final LockedFile lock;
    private final SecureRandom random = new SecureRandom();

    private DirectoryFiles(Path directory, LockedFile lock) {
        this.directory = directory;
        this.reader = new DirectoryReader(directory);
        this.lock = lock;
    }

    /**
     * Takes a directory, which is made durably when it is missing, with those above it, for its owner alone.
     *
     * @throws DirectoryInUseException when it is in use
     * @throws IOException when it cannot be written
     */
    public static DirectoryFiles open(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (Files.notExists(absolute.resolve(LOCK))) {
            make(absolute, FileAccess.OWNER);
        }
        LockedFile lock =
                LockedFile.take(absolute.resolve(LOCK)).orElseThrow(() -> new DirectoryInUseException(absolute));
        return new DirectoryFiles(absolute, lock);
    }

    /** Makes a directory durably, with those above it; also what a process made that was killed before it was durable. */
    static void make(Path directory, FileAccess access) throws IOException {
        access.directories(directory);
        for (Path above = directory.getParent(); above != null; above = above.getParent()) {
            if (Files.isReadable(above)) {
                forceDirectory(above);
            }
        }
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

    @Override
    public OpenFile create(String name) throws IOException {
        Path file = directory.resolve(name);
        return new ChannelFile(
                file,
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void forceDirectory() throws IOException {
        forceDirectory(directory);
    }

    /** Makes the names in any directory durable. */
    public static void forceDirectory(Path which) throws IOException {
        try (FileChannel channel = FileChannel.open(which, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long freshMark() {
        return freshMark(random);
    }

    static long freshMark(SecureRandom random) {
        long mark = 0;
        while (mark == 0) {
            mark = random.nextLong();
        }
        return mark;
    }

    @Override
    public void close() {
        lock.close();
    }

    static void closeQuietly(FileChannel open) {
        try {
            open.close();
        } catch (IOException ignored) {
            // Nothing that was forced depends on it.
        }
    }
}
