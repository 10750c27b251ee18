package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.appserver.port.LeafStore;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hashes of leaves in files, 32 bytes for each at the place that follows from its position (docs/formats.md, §18). They are not
 * forced. A start keeps the files of the same owner, and reads nothing of them before it is asked for a block. One thread of its own
 * writes and reads.
 */
final class LeafFiles implements LeafStore, AutoCloseable {
    /** The directory, in the one of the server's data. */
    static final String DIRECTORY = "leaves";

    /** Says whose the files are: version of the layout (1 byte), and the owner of the journal (32). */
    private static final String OWNER = "owner";

    private static final byte VERSION = 2;
    private static final Pattern NAME = Pattern.compile("(\\d{1,9})-(\\d{1,18})\\.leaves");
    private static final Logger LOG = LoggerFactory.getLogger(LeafFiles.class);
    private static final long BLOCKS_OF_A_FILE = 32;
    private static final long LEAVES_OF_A_FILE = BLOCKS_OF_A_FILE << MerkleLog.BLOCK_LEVEL;
    private static final int BLOCK_BYTES = Hash.LENGTH << MerkleLog.BLOCK_LEVEL;
    private static final long CLOSE_SECONDS = 5;

    private final Path directory;
    private final ExecutorService thread;
    /** The first position that each file has, by origin. */
    private final Map<Integer, TreeMap<Long, Path>> files = new TreeMap<>();

    private boolean failed;

    private LeafFiles(NodeId server, Path directory) {
        this.directory = directory;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "leaves-" + server.index());
            made.setDaemon(true);
            return made;
        });
    }

    /**
     * The files in a directory. Those of another owner are deleted, and so are all of a server that keeps nothing.
     *
     * @param data the directory of the server's data
     * @throws IOException when what is not to be kept cannot be deleted, or nothing can be written there
     */
    static LeafFiles open(Path data, StoreOwner owner, Durability durability) throws IOException {
        LeafFiles opened = new LeafFiles(owner.server(), Files.createDirectories(data.resolve(DIRECTORY)));
        Path mark = opened.directory.resolve(OWNER);
        byte[] mine = mark(owner);
        boolean known = durability != Durability.MEMORY
                && Files.isRegularFile(mark)
                && Arrays.equals(Files.readAllBytes(mark), mine);
        opened.takeOver(known);
        if (!known) {
            Files.write(mark, mine);
        }
        return opened;
    }

    private static byte[] mark(StoreOwner owner) {
        byte[] hash = owner.journal().toBytes();
        return ByteBuffer.allocate(1 + hash.length).put(VERSION).put(hash).array();
    }

    private void takeOver(boolean known) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "*.leaves")) {
            for (Path file : left) {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                if (known && name.matches() && Long.parseLong(name.group(2)) % LEAVES_OF_A_FILE == 0) {
                    files.computeIfAbsent(Integer.valueOf(name.group(1)), any -> new TreeMap<>())
                            .put(Long.valueOf(name.group(2)), file);
                } else {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void keep(int origin, LeafBlock block) {
        later(() -> write(origin, block));
    }

    @Override
    public CompletionStage<@Nullable LeafBlock> load(int origin, long first) {
        CompletableFuture<@Nullable LeafBlock> block = new CompletableFuture<>();
        if (!later(() -> block.complete(read(origin, first)))) {
            block.complete(null);
        }
        return block;
    }

    @Override
    public void drop(int origin, long before) {
        later(() -> delete(origin, before));
    }

    private boolean later(Runnable task) {
        try {
            thread.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Waits until what was kept is written, for a while, and ends. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException stop) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    // ---- On the thread ----

    private void write(int origin, LeafBlock block) {
        long begin = block.first() - block.first() % LEAVES_OF_A_FILE;
        Path file = files.computeIfAbsent(origin, any -> new TreeMap<>())
                .computeIfAbsent(begin, any -> directory.resolve(origin + "-" + begin + ".leaves"));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(block.hashes());
            long at = (block.first() - begin) * Hash.LENGTH;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
            if (failed) {
                LOG.info("hashes of leaves can be written again in {}", directory);
                failed = false;
            }
        } catch (IOException problem) {
            if (!failed) {
                LOG.warn(
                        "hashes of leaves cannot be written in {}; late proofs of these places are refused",
                        directory,
                        problem);
                failed = true;
            }
        }
    }

    private @Nullable LeafBlock read(int origin, long first) {
        long begin = first - first % LEAVES_OF_A_FILE;
        Path file = files.getOrDefault(origin, new TreeMap<>()).get(begin);
        if (file == null) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
            long place = (first - begin) * Hash.LENGTH;
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, place + bytes.position()) < 0) {
                    return null;
                }
            }
            return new LeafBlock(first, bytes.array());
        } catch (IOException problem) {
            LOG.warn("hashes of leaves cannot be read from {}", file, problem);
            return null;
        }
    }

    private void delete(int origin, long before) {
        Map<Long, Path> old = files.getOrDefault(origin, new TreeMap<>()).headMap(before - LEAVES_OF_A_FILE, true);
        old.values().removeIf(file -> {
            try {
                Files.deleteIfExists(file);
                return true;
            } catch (IOException problem) {
                LOG.warn("{} cannot be deleted, and is tried again", file, problem);
                return false;
            }
        });
    }
}
