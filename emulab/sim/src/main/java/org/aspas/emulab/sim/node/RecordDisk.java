package org.aspas.emulab.sim.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.memory.MemoryFile;
import org.aspas.certify.journal.memory.MemoryFiles;
import org.aspas.emulab.sim.engine.SeededRandom;

/**
 * The disk of a bftserver or a client, with the files of the production journal. What was not forced is lost, kept or torn when the power
 * fails, and is still there, and still not durable, when only the process ends.
 */
public final class RecordDisk implements FileLayer {
    private final SeededRandom chance;
    private final MemoryFiles files;
    private final Map<String, byte[]> copy = new TreeMap<>();
    private final DiskFaults faults = new DiskFaults();

    private interface Call<T> {
        T carriedOut() throws IOException;
    }

    RecordDisk(String name, SeededRandom chance) {
        this.chance = chance;
        this.files = new MemoryFiles(name, () -> chance.between(1, Long.MAX_VALUE - 1));
    }

    // ---- What the journal does with it ----

    @Override
    public List<String> names() {
        return files.names();
    }

    @Override
    public String describe(String file) {
        return files.describe(file);
    }

    @Override
    public byte[] read(String file) throws IOException {
        return files.read(file);
    }

    @Override
    public OpenFile create(String file) throws IOException {
        return new Handle(call(() -> files.create(file)));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        present(from);
        call(() -> {
            files.rename(from, to);
            return to;
        });
    }

    @Override
    public void delete(String file) throws IOException {
        present(file);
        call(() -> {
            files.delete(file);
            return file;
        });
    }

    private void present(String file) throws IOException {
        if (!files.names().contains(file)) {
            throw new IOException(describe(file) + " is missing");
        }
    }

    @Override
    public void forceDirectory() throws IOException {
        call(() -> {
            files.forceDirectory();
            return files;
        });
    }

    /** What happens wholly, or not at all. */
    private <T> T call(Call<T> action) throws IOException {
        Runnable ends = faults.due();
        if (ends == null) {
            if (faults.refuses()) {
                throw full();
            }
            return action.carriedOut();
        }
        if (faults.carriedOut()) {
            action.carriedOut();
        }
        throw DiskFaults.end(ends);
    }

    private static IOException full() {
        return new IOException("no space left on device");
    }

    @Override
    public long freshMark() {
        return files.freshMark();
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    private final class Handle implements OpenFile {
        private final MemoryFile file;

        Handle(MemoryFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer buffer, long offset) throws IOException {
            Runnable ends = faults.due();
            boolean refused = ends == null && faults.refuses();
            boolean part = refused || (ends != null && !faults.carriedOut());
            if (part) {
                buffer.limit(buffer.position() + chance.index(buffer.remaining() + 1));
            }
            file.write(buffer, offset);
            if (refused) {
                throw full();
            }
            if (ends != null) {
                throw DiskFaults.end(ends);
            }
        }

        @Override
        public void force() throws IOException {
            if (faults.refuses()) {
                file.dropPages();
            }
            call(() -> {
                file.force();
                return file;
            });
        }

        @Override
        public void close() {
            // Nothing is forced.
        }
    }

    // ---- What happens to it ----

    /** The process has ended; as often as not the power failed, too. */
    void crash() {
        if (chance.happens(0.5)) {
            files.powerFails(chance::happens, chance::index, chance.pick(List.of(0.0, 0.3, 0.7, 0.95, 1.0)));
        }
    }

    public DiskFaults faults() {
        return faults;
    }

    /** Turns one bit of a file around, shortens one, or removes one. */
    void damage() {
        Map<String, byte[]> now = content();
        if (now.isEmpty()) {
            return;
        }
        Map.Entry<String, byte[]> file = chance.pick(List.copyOf(now.entrySet()));
        byte[] bytes = file.getValue();
        switch (chance.index(3)) {
            case 0 -> now.put(file.getKey(), flipped(bytes));
            case 1 -> now.put(file.getKey(), Arrays.copyOf(bytes, chance.index(bytes.length)));
            default -> now.remove(file.getKey());
        }
        hold(now);
    }

    /** Behind the last byte that is not zero there is only room. */
    private byte[] flipped(byte[] bytes) {
        int used = bytes.length;
        while (used > 1 && bytes[used - 1] == 0) {
            used--;
        }
        bytes[chance.index(used)] ^= (byte) (1 << chance.index(Byte.SIZE));
        return bytes;
    }

    /** The files, as processes see them. */
    Map<String, byte[]> content() {
        return files.content();
    }

    /** Holds these files, durably, and no others. */
    void hold(Map<String, byte[]> content) {
        files.hold(content);
    }

    public void lose() {
        hold(Map.of());
    }

    public void keepCopy() {
        copy.clear();
        copy.putAll(content());
    }

    /** Holds again what it held when the copy was made. */
    public void becomeCopy() {
        hold(copy);
    }
}
