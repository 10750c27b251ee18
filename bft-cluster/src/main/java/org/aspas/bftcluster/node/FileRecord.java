package org.aspas.bftcluster.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.signer.RecordItem;
import org.aspas.certify.signer.RecordState;
import org.jspecify.annotations.Nullable;

/**
 * A replica's durable record as a file that only grows: every item is written and forced to the disk before
 * {@link #append} returns. When the file has grown large it is replaced, by an atomic move, by one that holds the same in
 * few items. A file that ends in the middle of an item was interrupted there, and that item was never told to anybody: it
 * is cut off. Any other damage refuses the file. One process at a time uses a directory. Not thread-safe.
 */
public final class FileRecord implements AutoCloseable {
    /** The name of the file in its directory. */
    public static final String NAME = "notary.record";

    /** From which length on the file is replaced by a short one, in bytes. */
    public static final long COMPACT_AT = 4L << 20;

    private final RecordStorage storage;
    private final Hash deployment;
    private final int replica;
    private final long compactAt;
    private RecordState state = new RecordState();
    private long length;
    /** The item that could not be made durable; nothing is added before {@link #recover} has done it. */
    private @Nullable RecordItem unsaved;

    private boolean closed;

    private FileRecord(RecordStorage storage, Hash deployment, int replica, long compactAt) {
        this.storage = storage;
        this.deployment = deployment;
        this.replica = replica;
        this.compactAt = compactAt;
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
        return open(FileStorage.open(directory), deployment, replica, compactAt);
    }

    /**
     * Opens the record in a storage, or begins one. The record closes the storage, also when it cannot be opened.
     *
     * @param compactAt from which length on the bytes are replaced by fewer ones that hold the same
     * @throws RecordUnusableException when the bytes are damaged, of another deployment or replica, or cannot be read or
     *     written
     */
    public static FileRecord open(RecordStorage storage, Hash deployment, int replica, long compactAt)
            throws RecordUnusableException {
        FileRecord record = new FileRecord(storage, deployment, replica, compactAt);
        try {
            record.load();
            return record;
        } catch (IOException failed) {
            storage.close();
            throw RecordUnusableException.of(storage.file(), failed);
        }
    }

    private void load() throws IOException {
        Optional<byte[]> stored = storage.read();
        if (stored.isEmpty()) {
            compact();
            return;
        }
        RecordFormat.Reading reading = RecordFormat.read(stored.get(), deployment, replica);
        if (reading instanceof RecordFormat.Reading.Damaged damaged) {
            throw new RecordUnusableException(
                    storage.file(),
                    damaged.reason()
                            + "; if it cannot be had again, move it away: this replica then signs nothing until "
                            + "2b+1 others have taught it");
        }
        RecordFormat.Reading.Whole whole = (RecordFormat.Reading.Whole) reading;
        state = whole.state();
        length = whole.length();
        if (stored.get().length > length) {
            storage.cut(length);
        }
    }

    /** What all items so far amount to; the record's own, not to be changed. */
    public RecordState state() {
        return state;
    }

    /**
     * Adds an item. When this returns normally the item is durable and in {@link #state()}; when it throws, the item may or
     * may not be durable, and no further item can be added until {@link #recover} has made it durable.
     *
     * @throws UncheckedIOException when the item could not be made durable
     */
    public void append(RecordItem item) {
        if (closed || unsaved != null) {
            throw new UncheckedIOException(
                    new IOException(storage.file() + " is closed, or could not be written before"));
        }
        try {
            byte[] frame = RecordFormat.frame(item);
            storage.append(frame);
            length += frame.length;
            state.apply(item);
            if (length > compactAt) {
                compact();
            }
        } catch (IOException failed) {
            unsaved = item;
            throw new UncheckedIOException(storage.file() + " cannot be written", failed);
        }
    }

    /**
     * After {@link #append} failed: puts bytes in place that hold all items, that one included. When this returns normally it
     * is durable, and items can be added again. The bytes that could not be forced are not trusted: after a failed force a
     * system may take them for written. To add an item a second time changes nothing.
     *
     * @throws UncheckedIOException when that failed, too; it may be tried again
     */
    public void recover() {
        if (closed) {
            throw new UncheckedIOException(new IOException(storage.file() + " is closed"));
        }
        RecordState whole = state.copy();
        RecordItem item = unsaved;
        if (item != null) {
            whole.apply(item);
        }
        try {
            replace(whole);
            state = whole;
            unsaved = null;
        } catch (IOException failed) {
            throw new UncheckedIOException(storage.file() + " cannot be written", failed);
        }
    }

    /** Puts bytes in place that hold the state in few items; the old ones stay until the new ones are durable. */
    private void compact() throws IOException {
        replace(state);
    }

    private void replace(RecordState held) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(RecordFormat.header(deployment, replica));
        for (RecordItem item : held.items()) {
            out.writeBytes(RecordFormat.frame(item));
        }
        storage.replace(out.toByteArray());
        length = out.size();
    }

    @Override
    public void close() {
        closed = true;
        storage.close();
    }
}
