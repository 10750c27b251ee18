package org.aspas.certify.journal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file that this process has locked, so that nobody else may use what lies beside it. The lock ends with the process, however that
 * ends, and in no other process that it started.
 *
 * <p>POSIX drops all locks that a process has on a file as soon as the process closes any descriptor of it. So what this process holds
 * stands in a table, and a file that is in it is not opened again. No other code may open such a file. Thread-safe.
 */
public final class LockedFile implements AutoCloseable {
    /**
     * What this process has locked, by what identifies a file; also the monitor of every opening and closing of such a file. It holds the
     * descriptors: one that nobody closed would be closed by the garbage collector, and a new file could get the number of its file.
     */
    private static final Map<Object, FileChannel> HELD = new HashMap<>();

    /** Files that somebody else in this process has locked; never closed, for that would drop his lock. */
    private static final List<FileChannel> FOREIGN = new ArrayList<>();

    private final Object identity;
    private final FileChannel channel;

    private LockedFile(Object identity, FileChannel channel) {
        this.identity = identity;
        this.channel = channel;
    }

    /**
     * Locks a file, which is made when it is missing.
     *
     * @return the lock, or empty when this process or another one has it already
     * @throws IOException when the file cannot be made or opened, or its file system has no locks
     */
    public static Optional<LockedFile> take(Path file) throws IOException {
        synchronized (HELD) {
            make(file);
            Object identity = identity(file);
            if (HELD.containsKey(identity)) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            if (!locked(channel, false)) {
                return Optional.empty();
            }
            HELD.put(identity, channel);
            return Optional.of(new LockedFile(identity, channel));
        }
    }

    /**
     * Whether this process or another one has locked a file; false when there is none. It tries a shared lock, and releases it at once:
     * a process that locks the file in the same instant is told that it is locked.
     */
    public static boolean isLocked(Path file) throws IOException {
        synchronized (HELD) {
            if (!Files.exists(file)) {
                return false;
            }
            if (HELD.containsKey(identity(file))) {
                return true;
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            boolean free = locked(channel, true);
            if (free) {
                channel.close();
            }
            return !free;
        }
    }

    private static void make(Path file) throws IOException {
        if (Files.notExists(file)) {
            try {
                Files.createFile(file);
            } catch (FileAlreadyExistsException anotherProcess) {
                // It is there, which is all that was wanted.
            }
        }
    }

    /** Where the system tells it, device and number of the file, which all paths to it have in common. */
    private static Object identity(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key == null ? file.toRealPath() : key;
    }

    /** Whether it is locked now; if not, the channel is of no more use. */
    private static boolean locked(FileChannel channel, boolean shared) throws IOException {
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
            if (lock == null) {
                channel.close();
            }
            return lock != null;
        } catch (OverlappingFileLockException foreign) {
            FOREIGN.add(channel);
            return false;
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Releases the lock; once is enough. */
    @Override
    public void close() {
        synchronized (HELD) {
            if (channel.isOpen()) {
                HELD.remove(identity);
                DirectoryFiles.closeQuietly(channel);
            }
        }
    }
}
