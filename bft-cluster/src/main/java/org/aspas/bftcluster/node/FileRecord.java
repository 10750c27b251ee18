package org.aspas.bftcluster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.notary.NotaryRecord;
import org.aspas.certify.notary.RecordItem;
import org.aspas.certify.notary.RecordState;
import org.jspecify.annotations.Nullable;

/**
 * A replica's durable record as a file that only grows: every item is written and forced to the disk before
 * {@link #append} returns. When the file has grown large it is replaced, by an atomic move, by one that holds the same in
 * few items. A file that ends in the middle of an item was interrupted there, and that item was never told to anybody: it
 * is cut off. Any other damage refuses the file. One process at a time uses a directory. Not thread-safe.
 */
public final class FileRecord implements NotaryRecord {
    /** The name of the file in its directory. */
    public static final String NAME = "notary.record";

    private static final long COMPACT_AT = 4L << 20;

    private final Path file;
    private final Hash deployment;
    private final int replica;
    private final long compactAt;
    private final FileChannel lockFile;
    private final FileLock lock;
    private RecordState state = new RecordState();
    private @Nullable FileChannel channel;

    private FileRecord(Path file, Hash deployment, int replica, long compactAt, FileChannel lockFile, FileLock lock) {
        this.file = file;
        this.deployment = deployment;
        this.replica = replica;
        this.compactAt = compactAt;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Opens the record in a directory, or begins one; directory and file are made when they are missing.
     *
     * @throws RecordUnusableException when the file is damaged, of another deployment or replica, in use, or cannot be
     *     read or written
     */
    public static FileRecord open(Path directory, Hash deployment, int replica) throws RecordUnusableException {
        return open(directory, deployment, replica, COMPACT_AT);
    }

    static FileRecord open(Path directory, Hash deployment, int replica, long compactAt)
            throws RecordUnusableException {
        Path file = directory.resolve(NAME);
        FileChannel lockFile = null;
        try {
            Files.createDirectories(directory);
            lockFile = FileChannel.open(
                    directory.resolve(NAME + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileRecord record = new FileRecord(file, deployment, replica, compactAt, lockFile, lock(lockFile, file));
            record.load();
            return record;
        } catch (IOException failed) {
            closeQuietly(lockFile);
            throw failed instanceof RecordUnusableException unusable
                    ? unusable
                    : new RecordUnusableException(file, "it cannot be read or written: " + failed.getMessage(), failed);
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

    private void load() throws IOException {
        if (!Files.exists(file)) {
            compact();
            return;
        }
        RecordFormat.Reading reading = RecordFormat.read(Files.readAllBytes(file), deployment, replica);
        if (reading instanceof RecordFormat.Reading.Damaged damaged) {
            throw new RecordUnusableException(
                    file,
                    damaged.reason()
                            + "; if it cannot be had again, move it away: this replica then signs nothing until "
                            + "2b+1 others have taught it");
        }
        RecordFormat.Reading.Whole whole = (RecordFormat.Reading.Whole) reading;
        state = whole.state();
        FileChannel opened = FileChannel.open(file, StandardOpenOption.WRITE);
        channel = opened;
        if (opened.size() > whole.length()) {
            opened.truncate(whole.length());
            opened.force(true);
        }
        opened.position(whole.length());
    }

    @Override
    public RecordState state() {
        return state;
    }

    @Override
    public void append(RecordItem item) {
        FileChannel open = channel;
        if (open == null) {
            throw new UncheckedIOException(new IOException(file + " is closed, or could not be written before"));
        }
        try {
            write(open, RecordFormat.frame(item));
            open.force(false);
            state.apply(item);
            if (open.position() > compactAt) {
                compact();
            }
        } catch (IOException failed) {
            channel = null;
            closeQuietly(open);
            throw new UncheckedIOException(file + " cannot be written", failed);
        }
    }

    /** Puts a file in place that holds the state in few items; the old one stays until the new one is durable. */
    private void compact() throws IOException {
        Path fresh = file.resolveSibling(NAME + ".new");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            write(out, RecordFormat.header(deployment, replica));
            for (RecordItem item : state.items()) {
                write(out, RecordFormat.frame(item));
            }
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
        closeQuietly(channel);
        FileChannel opened = FileChannel.open(file, StandardOpenOption.WRITE);
        opened.position(opened.size());
        channel = opened;
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
