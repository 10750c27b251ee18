package org.aspas.emulab.sim.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.aspas.bftcluster.node.RecordStorage;
import org.aspas.emulab.sim.engine.Chance;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a bftserver: bytes that the production record ({@code FileRecord}) writes and reads. What is appended is
 * durable at once, unless the disk is full, or the process ends in the middle of it.
 */
public final class RecordDisk implements RecordStorage {
    private final Path file;
    private final Chance chance;
    private byte @Nullable [] content;
    /** How many bytes of the content count; those behind are room. */
    private int length;

    private byte @Nullable [] copy;
    private @Nullable Runnable crash;
    private int before;
    private boolean stays;
    private boolean full;
    private BooleanSupplier mayEnd = () -> true;
    private BooleanSupplier mayRefuse = () -> true;

    /** An empty disk. */
    RecordDisk(String name, Chance chance) {
        this.file = Path.of(name);
        this.chance = chance;
    }

    // ---- What the record does with it ----

    @Override
    public Path file() {
        return file;
    }

    @Override
    public Optional<byte[]> read() {
        return Optional.ofNullable(bytes());
    }

    @Override
    public void cut(long most) {
        length = (int) Math.min(length, most);
    }

    @Override
    public void append(byte[] bytes) throws IOException {
        Runnable ends = due();
        if (ends == null && !refuses()) {
            put(bytes, bytes.length);
            return;
        }
        int written = ends != null && stays ? bytes.length : chance.index(bytes.length);
        put(bytes, written);
        if (ends == null) {
            throw new IOException("no space left on device");
        }
        if (!stays && chance.happens(0.5)) {
            // The file system had made room already.
            put(new byte[bytes.length], (int) chance.between(0, bytes.length - (long) written));
        }
        ends.run();
        throw new IOException("the process has ended");
    }

    /** What ends the process at this writing. */
    private @Nullable Runnable due() {
        Runnable ends = before == 0 && mayEnd.getAsBoolean() ? crash : null;
        before = Math.max(0, before - 1);
        crash = ends == null ? crash : null;
        return ends;
    }

    private boolean refuses() {
        return full && mayRefuse.getAsBoolean();
    }

    private void put(byte[] bytes, int count) {
        byte[] present = content == null ? new byte[0] : content;
        if (present.length < length + count) {
            present = Arrays.copyOf(present, Math.max(1024, 2 * (length + count)));
        }
        System.arraycopy(bytes, 0, present, length, count);
        content = present;
        length += count;
    }

    private byte @Nullable [] bytes() {
        byte[] present = content;
        return present == null ? null : Arrays.copyOf(present, length);
    }

    private void hold(byte @Nullable [] bytes) {
        content = bytes;
        length = bytes == null ? 0 : bytes.length;
    }

    @Override
    public void replace(byte[] bytes) throws IOException {
        if (refuses()) {
            throw new IOException("no space left on device");
        }
        Runnable ends = due();
        if (ends == null || stays) {
            hold(bytes.clone());
        }
        if (ends != null) {
            ends.run();
            throw new IOException("the process has ended");
        }
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    // ---- What happens to it ----

    /**
     * Lets the process end in a writing, once.
     *
     * @param skipped how many writings before that one
     * @param whole whether what is written then is durable already, else only a first part of it stays
     * @param may whether it may end at the moment; if not, a later writing is its end
     * @param ends ends the process
     */
    public void tear(int skipped, boolean whole, BooleanSupplier may, Runnable ends) {
        mayEnd = may;
        before = skipped;
        stays = whole;
        crash = ends;
    }

    /** The process does not end in a writing any more. */
    public void untorn() {
        crash = null;
    }

    /** From now on it takes nothing while it may refuse. */
    public void fill(BooleanSupplier may) {
        full = true;
        mayRefuse = may;
    }

    /** It takes everything again. */
    public void empty() {
        full = false;
    }

    /** Turns one bit around, if it holds any. */
    public void damage() {
        byte[] present = content;
        if (present != null && length > 0) {
            present[chance.index(length)] ^= (byte) (1 << chance.index(Byte.SIZE));
        }
    }

    /** Forgets everything. */
    public void lose() {
        hold(null);
    }

    /** Keeps a copy of what it holds now. */
    public void keepCopy() {
        copy = bytes();
    }

    /** Holds again what it held when the copy was made. */
    public void becomeCopy() {
        hold(copy == null ? null : copy.clone());
    }
}
