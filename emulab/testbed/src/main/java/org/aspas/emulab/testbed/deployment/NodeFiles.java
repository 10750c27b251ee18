package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.certify.journal.file.LockedFile;

/**
 * Which processes of this machine run which nodes of a deployment: a folder with one file for each node, {@code NODE.pid}.
 * It holds the number of the process and the moment of its start, so that a number that the system has given to another
 * process since is not taken for the node. One user at a time: the folder is locked until {@link #close}. Not thread-safe.
 */
public final class NodeFiles implements AutoCloseable {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,10}) ([0-9a-f/-]{1,80})\\s*");

    private final Path folder;
    private final LockedFile lock;

    private NodeFiles(Path folder, LockedFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Locks a folder, which is made if it is missing.
     *
     * @throws IOException when it cannot be made, or another process has it
     */
    public static NodeFiles lock(Path folder) throws IOException {
        FileAccess.READERS.directories(folder);
        LockedFile lock = LockedFile.take(folder.resolve("lock"))
                .orElseThrow(() -> new IOException(folder + " is in use: another 'up' or 'down' is at work there"));
        return new NodeFiles(folder, lock);
    }

    /**
     * The process that runs a node now.
     *
     * @throws IOException when the node's file cannot be read, or holds something else
     */
    public Optional<NodeProcess> running(NodeId node) throws IOException {
        return running(folder, node);
    }

    /**
     * The process that a folder names for a node, if it runs: for who only looks, and so needs no lock.
     *
     * @throws IOException when the node's file cannot be read, or holds something else
     */
    public static Optional<NodeProcess> running(Path folder, NodeId node) throws IOException {
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
        return NodeProcess.running(Long.parseLong(parts.group(1))).filter(process -> process.started(parts.group(2)));
    }

    public void note(NodeId node, NodeProcess process) throws IOException {
        Path fresh = folder.resolve(node + ".pid.new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, FileAccess.READERS.ofFile(fresh));
        Files.writeString(fresh, process.pid() + " " + process.start() + "\n");
        Files.move(fresh, path(node), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public void forget(NodeId node) throws IOException {
        Files.deleteIfExists(path(node));
    }

    private Path path(NodeId node) {
        return path(folder, node);
    }

    private static Path path(Path folder, NodeId node) {
        return folder.resolve(node + ".pid");
    }

    @Override
    public void close() {
        lock.close();
    }
}
