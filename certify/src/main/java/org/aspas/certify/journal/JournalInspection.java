package org.aspas.certify.journal;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.aspas.certify.identity.Hash;

/**
 * What the files of a journal hold, as {@link Journal#open} would find it, read without a change to any file.
 *
 * @param made whether there is a journal; without one, {@link Journal#create} would take the files
 * @param bytes how long their files are together, in bytes
 * @param oldest the position of the oldest record that is kept
 * @param next the position behind the last whole one
 * @param kinds how many records of each kind are kept
 * @param tailCut what a start would cut off
 */
public record JournalInspection(
        boolean made, int segments, long bytes, long oldest, long next, Map<String, Long> kinds, TailCut tailCut) {
    /** With a copy of the counts, in the order of their names. */
    public JournalInspection {
        kinds = Collections.unmodifiableMap(new TreeMap<>(kinds));
    }

    /**
     * Reads a journal. The files are only read.
     *
     * @param kind the name of a record's kind; empty for bytes that are no record of this owner
     * @throws JournalDamagedException when a start would name damage
     * @throws ForeignJournalException when it is of another owner
     * @throws IOException when it cannot be read, or holds a record without a kind
     */
    public static JournalInspection of(FileLayer files, Hash owner, Function<byte[], Optional<String>> kind)
            throws IOException {
        if (!Journal.exists(files)) {
            SegmentStore.create(files, owner);
            return new JournalInspection(false, 0, 0, 0, 0, Map.of(), new TailCut("", 0, 0));
        }
        SegmentStore store = SegmentStore.open(files, owner);
        JournalRecovery recovery = JournalRecovery.of(store);
        List<SegmentHeader> live = store.live();
        long oldest = live.get(0).first();
        Counts counts = new Counts(files.describe(""), oldest, kind);
        for (int i = 0; i < live.size(); i++) {
            SegmentHeader segment = live.get(i);
            long to = i + 1 < live.size() ? live.get(i + 1).first() : recovery.synced();
            counts.add(JournalRecovery.complete(store, segment, to).records(segment.first(), to));
        }
        counts.add(recovery.unproven());
        return new JournalInspection(
                true,
                live.size(),
                live.stream().mapToLong(SegmentHeader::length).sum(),
                oldest,
                counts.next,
                counts.kinds,
                recovery.cut());
    }

    public static boolean isMade(FileLayer files) throws IOException {
        return Journal.exists(files);
    }

    /**
     * Reads a journal without a check whose it is and what its records say. The files are only read.
     *
     * @throws JournalDamagedException when a start would name damage of the files
     */
    public static JournalInspection ofAnyone(FileLayer files) throws IOException {
        byte[] manifest = files.read(SegmentManifest.NAME);
        Hash owner = SegmentManifest.owner(manifest).orElse(Hash.ZERO);
        return of(files, owner, record -> Optional.of("records"));
    }

    /** How many records of each kind were read, one segment after another. */
    private static final class Counts {
        private final String path;
        private final Function<byte[], Optional<String>> kind;
        private final Map<String, Long> kinds = new TreeMap<>();
        private long next;

        Counts(String path, long first, Function<byte[], Optional<String>> kind) {
            this.path = path;
            this.next = first;
            this.kind = kind;
        }

        void add(List<byte[]> records) throws IOException {
            for (byte[] record : records) {
                String name = kind.apply(record).orElse("");
                if (name.isEmpty()) {
                    throw new IOException(path + ": the journal's record " + next + " is of no kind that is kept here");
                }
                kinds.merge(name, 1L, Long::sum);
                next++;
            }
        }
    }
}
