package org.aspas.emulab.lab.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Which processes of this machine run which nodes of a deployment: a folder with one file for each node, {@code NODE.pid}.
 * It holds the number of the process and the moment of its start, so that a number that the system has given to another
 * process since is not taken for the node. One user at a time: the folder is locked until {@link #close}. Not thread-safe.
 */
public final class NodeFiles implements AutoCloseable {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,10}) ([0-9]{1,18})\\s*");

    private final Path folder;
    private final FileChannel lockFile;

    private NodeFiles(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
    }

    /**
     * Locks a folder, which is made if it is missing.
     *
     * @throws IOException when it cannot be made, or another process has it
     */
    public static NodeFiles lock(Path folder) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (tryLock(channel) != null) {
                return new NodeFiles(folder, channel);
            }
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
        channel.close();
        throw new IOException(folder + " is in use: another 'up' or 'down' is at work there");
    }

    /** Closing the channel frees the lock. */
    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    /**
     * The process that runs a node now.
     *
     * @throws IOException when the node's file cannot be read, or holds something else
     */
    public Optional<ProcessHandle> running(NodeId node) throws IOException {
        return running(folder, node);
    }

    /**
     * The process that a folder names for a node, if it runs: for who only looks, and so needs no lock.
     *
     * @throws IOException when the node's file cannot be read, or holds something else
     */
    public static Optional<ProcessHandle> running(Path folder, NodeId node) throws IOException {
        Path file = path(folder, node);
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IOException(file + " does not hold a process: remove it if " + node + " does not run");
        }
        long start = Long.parseLong(parts.group(2));
        return ProcessHandle.of(Long.parseLong(parts.group(1)))
                .filter(ProcessHandle::isAlive)
                .filter(process -> start(process) == start);
    }

    /** Notes that a process runs a node. */
    public void note(NodeId node, ProcessHandle process) throws IOException {
        Files.writeString(path(node), process.pid() + " " + start(process) + "\n");
    }

    /** Notes that no process runs a node. */
    public void forget(NodeId node) throws IOException {
        Files.deleteIfExists(path(node));
    }

    /** In milliseconds since 1970; 0 where the system does not tell. */
    private static long start(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(moment -> moment.toEpochMilli())
                .orElse(0L);
    }

    private Path path(NodeId node) {
        return path(folder, node);
    }

    private static Path path(Path folder, NodeId node) {
        return folder.resolve(node + ".pid");
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
