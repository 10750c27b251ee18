package org.aspas.emulab.sim.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.journal.FileLayer;
import org.aspas.emulab.sim.engine.Chance;

/**
 * The disk of a bftserver or a client, with the files of the production journal. What was not forced is lost, kept or torn when the power
 * fails, and is still there, and still not durable, when only the process ends.
 */
public final class RecordDisk implements FileLayer {
    private final String name;
    private final Chance chance;
    /** What processes see. */
    private final TreeMap<String, StoredFile> files = new TreeMap<>();
    /** What the directory holds when the power fails. */
    private final TreeMap<String, StoredFile> durable = new TreeMap<>();
    /** What was done to the directory and not forced, in order. */
    private final List<Change> changes = new ArrayList<>();

    private final Map<String, byte[]> copy = new TreeMap<>();
    private final DiskFaults faults = new DiskFaults();

    private interface Change {
        void apply(Map<String, StoredFile> names);
    }

    /** An empty disk. */
    RecordDisk(String name, Chance chance) {
        this.name = name;
        this.chance = chance;
    }

    // ---- What the journal does with it ----

    @Override
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public String describe(String file) {
        return name + "/" + file;
    }

    @Override
    public byte[] read(String file) throws IOException {
        return present(file).bytes();
    }

    private StoredFile present(String file) throws IOException {
        StoredFile present = files.get(file);
        if (present == null) {
            throw new IOException(describe(file) + " is missing");
        }
        return present;
    }

    @Override
    public OpenFile create(String file) throws IOException {
        StoredFile fresh = new StoredFile(new byte[0]);
        change(names -> names.put(file, fresh));
        return new Handle(fresh);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        StoredFile moved = present(from);
        change(names -> {
            names.remove(from, moved);
            names.put(to, moved);
        });
    }

    @Override
    public void delete(String file) throws IOException {
        StoredFile gone = present(file);
        change(names -> names.remove(file, gone));
    }

    private void change(Change change) throws IOException {
        call(() -> {
            change.apply(files);
            changes.add(change);
        });
    }

    @Override
    public void forceDirectory() throws IOException {
        call(() -> {
            changes.forEach(change -> change.apply(durable));
            changes.clear();
        });
    }

    /** What happens wholly, or not at all. */
    private void call(Runnable action) throws IOException {
        Runnable ends = faults.due();
        if (ends == null) {
            if (faults.refuses()) {
                throw full();
            }
            action.run();
            return;
        }
        if (faults.carriedOut()) {
            action.run();
        }
        throw DiskFaults.end(ends);
    }

    private static IOException full() {
        return new IOException("no space left on device");
    }

    @Override
    public long freshMark() {
        return chance.between(1, Long.MAX_VALUE - 1);
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    private final class Handle implements OpenFile {
        private final StoredFile file;

        Handle(StoredFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer buffer, long offset) throws IOException {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            Runnable ends = faults.due();
            boolean refused = ends == null && faults.refuses();
            boolean part = refused || (ends != null && !faults.carriedOut());
            file.write(offset, part ? Arrays.copyOf(bytes, chance.index(bytes.length + 1)) : bytes);
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
            call(file::force);
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
            powerFails(chance.pick(List.of(0.0, 0.3, 0.7, 0.95, 1.0)));
        }
    }

    /** Each thing that was not forced is there with this probability. */
    private void powerFails(double kept) {
        for (Change change : changes) {
            if (chance.happens(kept)) {
                change.apply(durable);
            }
        }
        changes.clear();
        durable.values().forEach(file -> file.cut(chance, kept));
        files.clear();
        files.putAll(durable);
    }

    /** What goes wrong in its calls. */
    public DiskFaults faults() {
        return faults;
    }

    /** Turns one bit of a file around, shortens one, or removes one. */
    void damage() {
        if (files.isEmpty()) {
            return;
        }
        Map<String, byte[]> now = content();
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
        Map<String, byte[]> content = new TreeMap<>();
        files.forEach((file, stored) -> content.put(file, stored.bytes()));
        return content;
    }

    /** Holds these files, durably, and no others. */
    void hold(Map<String, byte[]> content) {
        files.clear();
        durable.clear();
        changes.clear();
        content.forEach((file, bytes) -> files.put(file, new StoredFile(bytes)));
        durable.putAll(files);
    }

    /** Forgets everything. */
    public void lose() {
        hold(Map.of());
    }

    /** Keeps a copy of what it holds now. */
    public void keepCopy() {
        copy.clear();
        copy.putAll(content());
    }

    /** Holds again what it held when the copy was made. */
    public void becomeCopy() {
        hold(copy);
    }
}
