package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A map from bytes to bytes in one directory, in the order of the keys as unsigned bytes. A {@link Batch} is written whole or not
 * at all, and is not forced: it survives the end of the process, and after a power cut the store may be as after any earlier batch,
 * but never older than the last {@link #flush}. Thread-safe; after {@link #close} every call fails with an {@link IOException}.
 *
 * <p>Damage of the files is noticed where checksums are read, and not everywhere: whoever keeps something here must be able to tell
 * that it is not what was put in.
 */
public final class BaseStore implements AutoCloseable {
    private static final long WRITE_BUFFER_BYTES = 8L << 20;
    private static final long CACHE_BYTES = 4L << 20;
    private static final int OPEN_FILES = 128;

    private final RocksDB engine;
    private final Options options;
    private final LRUCache cache;
    private final WriteOptions unforced = new WriteOptions().setSync(false);
    /** Shared by all calls; closing takes it alone, for the engine must not be called afterwards. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private boolean closed;

    private BaseStore(RocksDB engine, Options options, LRUCache cache) {
        this.engine = engine;
        this.options = options;
        this.cache = cache;
    }

    /** Whether a store was ever made in a directory. */
    public static boolean exists(Path directory) {
        return Files.exists(directory.resolve("CURRENT"));
    }

    /**
     * Opens the store in a directory; makes both when they are missing.
     *
     * @throws DamagedException when the files are damaged
     * @throws UnavailableException when the engine's library cannot be loaded
     * @throws IOException when the files are in use, or cannot be read or written
     */
    public static BaseStore open(Path directory) throws IOException {
        Files.createDirectories(directory);
        return open(directory, false);
    }

    /**
     * Opens a store that nobody uses, without a change to its files.
     *
     * @throws IOException as {@link #open}, and when there is none
     */
    public static BaseStore openToRead(Path directory) throws IOException {
        return open(directory, true);
    }

    private static BaseStore open(Path directory, boolean toRead) throws IOException {
        load();
        LRUCache cache = new LRUCache(CACHE_BYTES);
        Options options = new Options()
                .setCreateIfMissing(!toRead)
                .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
                .setParanoidChecks(true)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxOpenFiles(OPEN_FILES)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache))
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setKeepLogFileNum(1)
                .setStatsDumpPeriodSec(0);
        String path = directory.toAbsolutePath().toString();
        try {
            RocksDB engine = toRead ? RocksDB.openReadOnly(options, path) : RocksDB.open(options, path);
            return new BaseStore(engine, options, cache);
        } catch (RocksDBException failed) {
            options.close();
            cache.close();
            throw damaged(failed, path)
                    ? new DamagedException(directory + ": " + failed.getMessage(), failed)
                    : failure(directory.toString(), failed);
        }
    }

    private static boolean damaged(RocksDBException failed, String directory) {
        Status status = failed.getStatus();
        Status.Code code = status == null ? Status.Code.Undefined : status.getCode();
        return code == Status.Code.Corruption
                || code == Status.Code.NotFound
                || code == Status.Code.InvalidArgument
                || namesMissingFile(String.valueOf(failed.getMessage()), directory);
    }

    /**
     * Whether the engine fails by a file of its own that is gone. The status does not say so, and the message does in the language of the
     * process: {@code While opening a file: /srv/base/MANIFEST-100019: No such file or directory}.
     */
    static boolean namesMissingFile(String message, String directory) {
        int begin = message.indexOf(directory + "/");
        int end = message.lastIndexOf(": ");
        return begin >= 0 && begin < end && Files.notExists(Path.of(message.substring(begin, end)));
    }

    /** The files of a store are not what was written, and what they held cannot be had again. */
    public static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(String message, RocksDBException cause) {
            super(message, cause);
        }
    }

    /** The engine's library cannot be used on this machine. */
    public static final class UnavailableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnavailableException(Throwable cause) {
            super("the library of the base cannot be loaded: " + cause.getMessage(), cause);
        }
    }

    private static void load() throws IOException {
        try {
            RocksDB.loadLibrary();
        } catch (RuntimeException | LinkageError unloadable) {
            throw new UnavailableException(unloadable);
        }
    }

    private static IOException failure(String what, RocksDBException failed) {
        return new IOException(what + ": " + failed.getMessage(), failed);
    }

    /** Something to do with the engine while it is open. */
    @FunctionalInterface
    private interface Use<T> {
        T of(RocksDB engine) throws RocksDBException, IOException;
    }

    private <T> T use(String what, Use<T> wanted) throws IOException {
        use.readLock().lock();
        try {
            if (closed) {
                throw new IOException("the base is closed");
            }
            return wanted.of(engine);
        } catch (RocksDBException failed) {
            throw failure(what, failed);
        } finally {
            use.readLock().unlock();
        }
    }

    public Optional<byte[]> get(byte[] key) throws IOException {
        return use("the base cannot be read", open -> Optional.ofNullable(open.get(key)));
    }

    @FunctionalInterface
    public interface Visitor {
        /** One key with its value; whether more is wanted. */
        boolean take(byte[] key, byte[] value) throws IOException;
    }

    /**
     * Shows all keys that begin with these bytes, in order, as they are now, until the visitor has seen enough.
     *
     * @throws IOException when something cannot be read: then the visitor has not seen all
     */
    public void scan(byte[] prefix, Visitor visitor) throws IOException {
        scan(prefix, after(prefix), visitor);
    }

    /** The same of all keys from one on to before another one. */
    public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
        scan(from, to, new ReadOptions().setFillCache(false).setReadaheadSize(1 << 20), visitor);
    }

    /** The same of a few keys, from one on to before another one: what was read is kept for the next time. */
    public void scanFew(byte[] from, byte[] to, Visitor visitor) throws IOException {
        scan(from, to, new ReadOptions(), visitor);
    }

    private void scan(byte[] from, byte[] to, ReadOptions options, Visitor visitor) throws IOException {
        use("the base cannot be read", open -> {
            try (@Nullable Slice bound = to.length == 0 ? null : new Slice(to);
                    ReadOptions reading = options) {
                if (bound != null) {
                    reading.setIterateUpperBound(bound);
                }
                try (RocksIterator at = open.newIterator(reading)) {
                    at.seek(from);
                    while (at.isValid() && visitor.take(at.key(), at.value())) {
                        at.next();
                    }
                    at.status();
                }
            }
            return true;
        });
    }

    /** The least key above all that begin with these bytes; empty when there is none. */
    public static byte[] after(byte[] prefix) {
        int last = prefix.length - 1;
        while (last >= 0 && prefix[last] == (byte) 0xff) {
            last--;
        }
        byte[] end = Arrays.copyOf(prefix, last + 1);
        if (last >= 0) {
            end[last]++;
        }
        return end;
    }

    /** A batch without a change yet; it must be closed. */
    public Batch batch() {
        return new Batch();
    }

    /** Makes all batches so far durable. */
    public void flush() throws IOException {
        use("the base cannot be flushed", open -> {
            try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
                open.flush(wait);
            }
            return true;
        });
    }

    /** Releases the files; forces nothing. */
    @Override
    public void close() {
        use.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                engine.close();
                unforced.close();
                options.close();
                cache.close();
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    /** Changes that are written together, the later ones over the earlier ones. For one thread. */
    public final class Batch implements AutoCloseable {
        private final WriteBatch changes = new WriteBatch();

        private Batch() {}

        public Batch put(byte[] key, byte[] value) throws IOException {
            return change(() -> changes.put(key, value));
        }

        /** Removes a key, if it is there. */
        public Batch delete(byte[] key) throws IOException {
            return change(() -> changes.delete(key));
        }

        /** Removes all keys from one up to before another one. */
        public Batch deleteRange(byte[] from, byte[] to) throws IOException {
            return change(() -> changes.deleteRange(from, to));
        }

        /** About how many bytes the changes have. */
        public long bytes() {
            return changes.getDataSize();
        }

        /**
         * Writes the changes, and forces nothing. The batch is without changes then.
         *
         * @throws IOException when the disk fails: whether the changes are there is not known
         */
        public void write() throws IOException {
            use("the base cannot be written", open -> {
                open.write(unforced, changes);
                changes.clear();
                return true;
            });
        }

        @Override
        public void close() {
            changes.close();
        }

        private Batch change(Change one) throws IOException {
            try {
                one.apply();
                return this;
            } catch (RocksDBException failed) {
                throw failure("a batch of the base", failed);
            }
        }
    }

    @FunctionalInterface
    private interface Change {
        void apply() throws RocksDBException;
    }
}
