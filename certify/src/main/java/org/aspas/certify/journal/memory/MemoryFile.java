package org.aspas.certify.journal.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.IntUnaryOperator;
import org.aspas.certify.journal.FileLayer;

/** A file of {@link MemoryFiles}: what processes see of it, and what of that is durable. For one thread. */
public final class MemoryFile implements FileLayer.OpenFile {
    /** How many bytes become durable together or not at all. */
    private static final int SECTOR = 512;

    private final Runnable before;
    private byte[] seen;
    private byte[] durable;
    /** What was written and not forced, in order. */
    private final List<Write> pending = new ArrayList<>();

    private record Write(int offset, byte[] bytes) {
        byte[] into(byte[] file) {
            int end = offset + bytes.length;
            byte[] grown = end > file.length ? Arrays.copyOf(file, end) : file;
            System.arraycopy(bytes, 0, grown, offset, bytes.length);
            return grown;
        }

        Write part(int from, int to) {
            return new Write(offset + from, Arrays.copyOfRange(bytes, from, to));
        }
    }

    /** A file of these bytes, all of them durable. */
    MemoryFile(byte[] bytes, Runnable before) {
        this.seen = bytes.clone();
        this.durable = bytes.clone();
        this.before = before;
    }

    /** Another one of the same content, of which the same is durable. */
    MemoryFile copy(Runnable called) {
        MemoryFile copy = new MemoryFile(seen, called);
        copy.durable = durable.clone();
        copy.pending.addAll(pending);
        return copy;
    }

    /** What processes see: a copy. */
    public byte[] bytes() {
        return seen.clone();
    }

    @Override
    public void write(ByteBuffer buffer, long offset) {
        before.run();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        Write write = new Write(Math.toIntExact(offset), bytes);
        seen = write.into(seen);
        pending.add(write);
    }

    @Override
    public void force() {
        before.run();
        pending.forEach(write -> durable = write.into(durable));
        pending.clear();
    }

    /** A force fails: the pages count as clean, and no later force writes them. */
    public void dropPages() {
        pending.clear();
    }

    @Override
    public void close() {
        // Nothing is forced.
    }

    /** The power fails: each sector that was not forced is there with this probability, perhaps in part. */
    void cut(DoublePredicate happens, IntUnaryOperator index, double kept) {
        for (Write write : pending) {
            for (int from = 0; from < write.bytes().length; from += SECTOR) {
                int length = Math.min(SECTOR, write.bytes().length - from);
                int whole = happens.test(0.1) ? index.applyAsInt(length) : length;
                if (happens.test(kept)) {
                    durable = write.part(from, from + whole).into(durable);
                }
            }
        }
        pending.clear();
        seen = durable.clone();
    }
}
