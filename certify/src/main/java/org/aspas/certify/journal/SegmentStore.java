package org.aspas.certify.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * The segments of a journal and their manifest. A new segment comes into being in this order: its file with its whole length
 * and its first group is forced, then its name, then a manifest that has it, then the manifest's name. The first group comes
 * before the manifest because the manifest ends the segment before: from then on nobody reads there what is in the new one. A
 * file that no durable manifest has is swept away. For one thread.
 */
final class SegmentStore implements AutoCloseable {
    private static final int ZEROS = 1 << 16;
    private static final String SEGMENTS = "journal-";

    private final FileLayer files;
    private final Hash owner;
    private List<SegmentHeader> live = List.of();
    private long lastNumber;
    private long durable;

    private SegmentStore(FileLayer files, Hash owner) {
        this.files = files;
        this.owner = owner;
    }

    static boolean exists(FileLayer files) throws IOException {
        return files.names().contains(SegmentManifest.NAME);
    }

    static SegmentStore create(FileLayer files, Hash owner) throws IOException {
        List<String> names = files.names();
        if (names.contains(SegmentManifest.NAME)) {
            throw new IOException(files.describe(SegmentManifest.NAME) + " exists already");
        }
        for (String name : names) {
            if (name.startsWith(SEGMENTS) && holdsRecords(files.read(name))) {
                throw new JournalDamagedException(
                        files.describe(SegmentManifest.NAME), 0, "it is missing, and " + name + " holds records");
            }
        }
        return new SegmentStore(files, owner);
    }

    /** A creation that was interrupted leaves a segment with a group without records. */
    private static boolean holdsRecords(byte[] segment) {
        for (int i = SegmentHeader.BYTES + RecordGroup.HEADER; i < segment.length; i++) {
            if (segment[i] != 0) {
                return true;
            }
        }
        return false;
    }

    /** The segments that the manifest has; none of them is read yet. */
    static SegmentStore open(FileLayer files, Hash owner) throws IOException {
        String path = files.describe(SegmentManifest.NAME);
        if (!exists(files)) {
            throw new JournalDamagedException(path, 0, "it is missing: there is no journal, or it is damaged");
        }
        SegmentStore store = new SegmentStore(files, owner);
        SegmentManifest manifest = SegmentManifest.decode(files.read(SegmentManifest.NAME), owner, path);
        store.live = manifest.segments();
        store.durable = manifest.durable();
        for (String name : files.names()) {
            store.lastNumber = Math.max(store.lastNumber, number(name));
        }
        return store;
    }

    /** The number in a segment's name, so that none is used twice; 0 when the name is no segment's. */
    private static long number(String name) {
        String digits = name.startsWith(SEGMENTS) ? name.substring(SEGMENTS.length()) : "";
        return digits.matches("[0-7][0-9a-f]{15}") ? Long.parseLong(digits, 16) : 0;
    }

    /** The segments, oldest first. */
    List<SegmentHeader> live() {
        return live;
    }

    /** The records below this position were durable when the manifest was written. */
    long durable() {
        return durable;
    }

    String describe(SegmentHeader segment) {
        return files.describe(segment.name());
    }

    /** A segment's whole file, whose length and header are as the manifest has them. */
    ByteBuffer read(SegmentHeader segment) throws IOException {
        if (!files.names().contains(segment.name())) {
            throw new JournalDamagedException(describe(segment), 0, "the segment is missing");
        }
        byte[] bytes = files.read(segment.name());
        if (bytes.length != segment.length()) {
            throw new JournalDamagedException(
                    describe(segment),
                    Math.min(bytes.length, segment.length()),
                    "the file has " + bytes.length + " bytes and was made with " + segment.length());
        }
        ByteBuffer file = ByteBuffer.wrap(bytes);
        if (!segment.begins(file)) {
            throw new JournalDamagedException(describe(segment), 0, "the header is damaged");
        }
        return file;
    }

    /** A new newest segment, durable with its first group; those before it end at the group's first position. */
    Begun begin(RecordGroup group, int length) throws IOException {
        long first = group.first();
        SegmentHeader header = new SegmentHeader(owner, ++lastNumber, first, length, files.freshMark());
        List<SegmentHeader> next = new ArrayList<>();
        live.stream().filter(one -> one.first() < first).forEach(next::add);
        next.add(header);
        FileLayer.OpenFile file = preallocated(header, group);
        try {
            stage(next, group.next());
        } catch (IOException failed) {
            file.close();
            deleteQuietly(header.name());
            throw failed;
        }
        try {
            publish(next, group.next());
            return new Begun(header, file);
        } catch (IOException failed) {
            // The disk may have the manifest that names this file: it stays until a later manifest is durable.
            file.close();
            throw failed;
        }
    }

    /** Forgets the segments all of whose records are below a position. The newest one stays. */
    void dropBelow(long position, long synced) throws IOException {
        int from = 0;
        while (from + 1 < live.size() && live.get(from + 1).first() <= position) {
            from++;
        }
        if (from > 0) {
            List<SegmentHeader> next = live.subList(from, live.size());
            stage(next, synced);
            publish(next, synced);
        }
    }

    private FileLayer.OpenFile preallocated(SegmentHeader header, RecordGroup group) throws IOException {
        FileLayer.OpenFile file = files.create(header.name());
        try {
            for (long at = 0; at < header.length(); at += ZEROS) {
                file.write(ByteBuffer.allocate((int) Math.min(ZEROS, header.length() - at)), at);
            }
            file.write(header.encode(), 0);
            file.write(group.encode(header.mark()), SegmentHeader.BYTES);
            file.force();
            files.forceDirectory();
            return file;
        } catch (IOException failed) {
            file.close();
            deleteQuietly(header.name());
            throw failed;
        }
    }

    private void stage(List<SegmentHeader> next, long synced) throws IOException {
        try (FileLayer.OpenFile fresh = files.create(SegmentManifest.FRESH)) {
            fresh.write(new SegmentManifest(owner, synced, next).encode(), 0);
            fresh.force();
        } catch (IOException failed) {
            deleteQuietly(SegmentManifest.FRESH);
            throw failed;
        }
    }

    private void publish(List<SegmentHeader> next, long synced) throws IOException {
        files.rename(SegmentManifest.FRESH, SegmentManifest.NAME);
        files.forceDirectory();
        live = List.copyOf(next);
        durable = synced;
        sweep();
    }

    /** What cannot be removed now is removed with the next manifest. */
    private void sweep() throws IOException {
        List<String> named = live.stream().map(SegmentHeader::name).toList();
        for (String name : files.names()) {
            if (name.startsWith(SEGMENTS) && !named.contains(name)) {
                deleteQuietly(name);
            }
        }
    }

    private void deleteQuietly(String name) {
        try {
            files.delete(name);
        } catch (IOException ignored) {
            // It only takes room.
        }
    }

    @Override
    public void close() {
        files.close();
    }

    record Begun(SegmentHeader header, FileLayer.OpenFile file) {}
}
