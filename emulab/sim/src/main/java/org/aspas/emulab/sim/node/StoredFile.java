package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.emulab.sim.engine.Chance;

/** A file of a simulated disk: what processes see of it, and what of that is durable. */
final class StoredFile {
    /** So many bytes become durable together, or not. */
    private static final int SECTOR = 512;

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
    StoredFile(byte[] bytes) {
        this.seen = bytes.clone();
        this.durable = bytes.clone();
    }

    byte[] bytes() {
        return seen.clone();
    }

    void write(long offset, byte[] bytes) {
        Write write = new Write(Math.toIntExact(offset), bytes);
        seen = write.into(seen);
        pending.add(write);
    }

    void force() {
        pending.forEach(write -> durable = write.into(durable));
        pending.clear();
    }

    /** A force fails: the pages count as clean, and no later force writes them. */
    void dropPages() {
        pending.clear();
    }

    /** The power fails: each sector that was not forced is there with this probability, perhaps in part. */
    void cut(Chance chance, double kept) {
        for (Write write : pending) {
            for (int from = 0; from < write.bytes().length; from += SECTOR) {
                int length = Math.min(SECTOR, write.bytes().length - from);
                int whole = chance.happens(0.1) ? chance.index(length) : length;
                if (chance.happens(kept)) {
                    durable = write.part(from, from + whole).into(durable);
                }
            }
        }
        pending.clear();
        seen = durable.clone();
    }
}
