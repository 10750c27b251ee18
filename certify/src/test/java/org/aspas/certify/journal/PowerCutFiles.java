package org.aspas.certify.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk in memory that keeps back what was not forced: bytes of files, and new names. At a power cut each of these is kept,
 * dropped or, sector by sector, torn. It can also fail: writes that stop half-way, forces after which the pages are dropped
 * and later forces succeed, and a disk that is full.
 */
final class PowerCutFiles implements FileLayer {
    private static final int SECTOR = 64;

    /** The power is gone; every later call ends in the same way. */
    static final class PowerCut extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private record Write(long offset, byte[] bytes, boolean[] lost) {}

    private static final class Stored {
        private byte[] durable = {};
        private byte[] seen = {};
        private final List<Write> pending = new ArrayList<>();
    }

    private interface Change {
        void apply(Map<String, Stored> names);
    }

    private final Random random;
    private final Map<String, Stored> durableNames = new TreeMap<>();
    private final Map<String, Stored> names = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private long operations;
    private long cutAt = Long.MAX_VALUE;
    private boolean failing;
    private double failures;
    private long capacity = Long.MAX_VALUE;
    private boolean forcedAfterFailure;
    private final Map<Stored, Boolean> failed = new IdentityHashMap<>();

    PowerCutFiles(Random random) {
        this.random = random;
    }

    static PowerCutFiles holding(Map<String, byte[]> files, Random random) {
        PowerCutFiles disk = new PowerCutFiles(random);
        files.forEach((name, bytes) -> {
            Stored stored = new Stored();
            stored.durable = bytes.clone();
            stored.seen = bytes.clone();
            disk.durableNames.put(name, stored);
            disk.names.put(name, stored);
        });
        return disk;
    }

    /** What a process sees in the files now. */
    Map<String, byte[]> content() {
        Map<String, byte[]> content = new TreeMap<>();
        names.forEach((name, stored) -> content.put(name, stored.seen.clone()));
        return content;
    }

    long operations() {
        return operations;
    }

    /** The call after so many more of them is the last. */
    void cutAfter(long calls) {
        cutAt = operations + calls;
    }

    /** From now on each call fails with this probability; 0 heals the disk. */
    void failWith(double probability) {
        failures = probability;
        failing = probability > 0;
    }

    /** From now on files have so many bytes together at most. */
    void capacity(long bytes) {
        capacity = bytes;
    }

    boolean healthy() {
        return !failing && capacity == Long.MAX_VALUE;
    }

    /** Whether a file was written or forced after its write or force had failed: nobody may. */
    boolean usedAfterFailure() {
        return forcedAfterFailure;
    }

    long used() {
        return names.values().stream().mapToLong(stored -> stored.seen.length).sum();
    }

    /** The process ends and the machine goes on: all that was written is still there to read, and still not durable. */
    void processKilled() {
        cutAt = Long.MAX_VALUE;
        capacity = Long.MAX_VALUE;
        failWith(0);
    }

    /** The disk as it is found when the power is back. */
    PowerCutFiles survivor() {
        double kept = new double[] {0, 0.3, 0.7, 0.95, 1}[random.nextInt(5)];
        for (Change change : changes) {
            if (random.nextDouble() < kept) {
                change.apply(durableNames);
            }
        }
        Map<String, byte[]> left = new TreeMap<>();
        durableNames.forEach((name, stored) -> left.put(name, torn(stored, kept)));
        return holding(left, new Random(random.nextLong()));
    }

    private byte[] torn(Stored stored, double kept) {
        byte[] left = stored.durable;
        for (Write write : stored.pending) {
            for (int from = 0; from < write.bytes().length; from += SECTOR) {
                int length = Math.min(SECTOR, write.bytes().length - from);
                if (random.nextInt(8) == 0) {
                    length = random.nextInt(length);
                }
                if (random.nextDouble() < kept) {
                    left = patched(left, write.offset() + from, Arrays.copyOfRange(write.bytes(), from, from + length));
                }
            }
        }
        return left;
    }

    private static byte[] patched(byte[] file, long offset, byte[] bytes) {
        int end = Math.toIntExact(offset + bytes.length);
        byte[] grown = end > file.length ? Arrays.copyOf(file, end) : file.clone();
        System.arraycopy(bytes, 0, grown, (int) offset, bytes.length);
        return grown;
    }

    private void count() {
        if (operations >= cutAt) {
            throw new PowerCut();
        }
        operations++;
    }

    private boolean fails() {
        return failing && random.nextDouble() < failures;
    }

    private void change(Change change) throws IOException {
        count();
        if (fails()) {
            throw new IOException("the directory cannot be changed");
        }
        change.apply(names);
        changes.add(change);
    }

    private static Stored present(Map<String, Stored> names, String name) throws IOException {
        Stored stored = names.get(name);
        if (stored == null) {
            throw new IOException("no file " + name);
        }
        return stored;
    }

    @Override
    public List<String> names() {
        return List.copyOf(names.keySet());
    }

    @Override
    public String describe(String name) {
        return "disk/" + name;
    }

    @Override
    public byte[] read(String name) throws IOException {
        return present(names, name).seen.clone();
    }

    @Override
    public OpenFile create(String name) throws IOException {
        Stored stored = new Stored();
        change(map -> map.put(name, stored));
        return new Handle(stored);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Stored stored = present(names, from);
        change(map -> {
            map.remove(from, stored);
            map.put(to, stored);
        });
    }

    @Override
    public void delete(String name) throws IOException {
        present(names, name);
        change(map -> map.remove(name));
    }

    @Override
    public void forceDirectory() throws IOException {
        count();
        if (fails()) {
            throw new IOException("the directory cannot be forced");
        }
        changes.forEach(change -> change.apply(durableNames));
        changes.clear();
    }

    @Override
    public long freshMark() {
        return random.nextLong() | 1;
    }

    @Override
    public void close() {
        // Nothing is forced.
    }

    private final class Handle implements OpenFile {
        private final Stored stored;

        Handle(Stored stored) {
            this.stored = stored;
        }

        @Override
        public void write(ByteBuffer buffer, long offset) throws IOException {
            count();
            forcedAfterFailure |= failed.containsKey(stored);
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            long more = Math.max(0, offset + bytes.length - stored.seen.length);
            boolean full = used() + more > capacity;
            boolean fails = full || fails();
            byte[] written = fails ? Arrays.copyOf(bytes, full ? 0 : random.nextInt(bytes.length + 1)) : bytes;
            stored.seen = patched(stored.seen, offset, written);
            stored.pending.add(new Write(offset, written, new boolean[1]));
            if (fails) {
                failed.put(stored, true);
                throw new IOException(full ? "no space left" : "the file cannot be written");
            }
        }

        /** After a failure the pages count as clean: later forces leave them out. */
        @Override
        public void force() throws IOException {
            count();
            forcedAfterFailure |= failed.containsKey(stored);
            if (fails()) {
                stored.pending.forEach(write -> write.lost()[0] = true);
                failed.put(stored, true);
                throw new IOException("the file cannot be forced");
            }
            for (Write write : stored.pending) {
                if (!write.lost()[0]) {
                    stored.durable = patched(stored.durable, write.offset(), write.bytes());
                }
            }
            stored.pending.removeIf(write -> !write.lost()[0]);
        }

        @Override
        public void close() {
            // Nothing is forced.
        }
    }
}
