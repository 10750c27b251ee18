package org.aspas.bftcluster.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The storage of a record in a file, forced to the disk at every change. One process at a time uses the directory. */
final class FileStorage implements RecordStorage {
    private final Path file;
    private final FileChannel lockFile;
    private final FileLock lock;
    private @Nullable FileChannel channel;

    private FileStorage(Path file, FileChannel lockFile, FileLock lock) {
        this.file = file;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * The storage in a directory, which is made when it is missing.
     *
     * @throws RecordUnusableException when it is in use, or cannot be written
     */
    static FileStorage open(Path directory) throws RecordUnusableException {
        Path file = directory.resolve(FileRecord.NAME);
        FileChannel lockFile = null;
        try {
            Files.createDirectories(directory);
            lockFile = FileChannel.open(
                    directory.resolve(FileRecord.NAME + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new FileStorage(file, lockFile, lock(lockFile, file));
        } catch (IOException failed) {
            closeQuietly(lockFile);
            throw RecordUnusableException.of(file, failed);
        }
    }

    private static FileLock lock(FileChannel lockFile, Path file) throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            lock = null;
        }
        if (lock == null) {
            throw new RecordUnusableException(file, "another bftserver uses it");
        }
        return lock;
    }

    private static void closeQuietly(@Nullable FileChannel open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException ignored) {
            // It is given up already.
        }
    }

    @Override
    public Path file() {
        return file;
    }

    @Override
    public Optional<byte[]> read() throws IOException {
        return Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    }

    @Override
    public void cut(long length) throws IOException {
        FileChannel open = writable();
        open.truncate(length);
        open.force(true);
    }

    @Override
    public void append(byte[] bytes) throws IOException {
        FileChannel open = writable();
        write(open, bytes);
        open.force(false);
    }

    private FileChannel writable() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open = FileChannel.open(file, StandardOpenOption.WRITE);
            open.position(open.size());
            channel = open;
        }
        return open;
    }

    @Override
    public void replace(byte[] bytes) throws IOException {
        Path fresh = file.resolveSibling(FileRecord.NAME + ".new");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            write(out, bytes);
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
        closeQuietly(channel);
        channel = null;
    }

    private static void write(FileChannel out, byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            out.write(rest);
        }
    }

    @Override
    public void close() {
        closeQuietly(channel);
        channel = null;
        try {
            lock.release();
        } catch (IOException ignored) {
            // Closing the file below releases it too.
        }
        closeQuietly(lockFile);
    }
}
