package org.aspas.certify.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;

/**
 * Which segments are the journal, oldest first (docs/formats.md §15): so a segment that is gone is noticed, be it the newest.
 *
 * @param durable the records below this position were durable when the manifest was written
 * @param segments their headers; positions and numbers rise
 */
record SegmentManifest(Hash owner, long durable, List<SegmentHeader> segments) {
    static final String NAME = "journal.manifest";

    /** The name under which the next one is written. */
    static final String FRESH = NAME + ".new";

    private static final byte[] MAGIC = "ASPASMFT".getBytes(StandardCharsets.US_ASCII);
    private static final int FIXED = MAGIC.length + Integer.BYTES + Hash.LENGTH + Long.BYTES + Integer.BYTES;
    private static final int ENTRY = 2 * Long.BYTES + Integer.BYTES + Long.BYTES;

    SegmentManifest {
        segments = List.copyOf(segments);
    }

    /** Whose journal a manifest says that it is; empty when the file is too short for one. */
    static Optional<Hash> owner(byte[] file) {
        int at = MAGIC.length + Integer.BYTES;
        return file.length < at + Hash.LENGTH
                ? Optional.empty()
                : Hash.read(Arrays.copyOfRange(file, at, at + Hash.LENGTH));
    }

    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(FIXED + segments.size() * ENTRY + Checksum.LENGTH);
        out.put(MAGIC).putInt(SegmentHeader.VERSION).put(owner.toBytes());
        out.putLong(durable).putInt(segments.size());
        for (SegmentHeader one : segments) {
            out.putLong(one.number()).putLong(one.first()).putInt(one.length()).putLong(one.mark());
        }
        return out.putInt(Checksum.of(out, 0, out.position())).flip();
    }

    /**
     * Reads a manifest.
     *
     * @throws JournalDamagedException when it is damaged, or of another version
     * @throws ForeignJournalException when it is of another owner
     */
    static SegmentManifest decode(byte[] file, Hash owner, String path)
            throws JournalDamagedException, ForeignJournalException {
        ByteBuffer in = ByteBuffer.wrap(file);
        int checked = file.length - Checksum.LENGTH;
        if (checked < FIXED || !Arrays.equals(MAGIC, Arrays.copyOf(file, MAGIC.length))) {
            throw new JournalDamagedException(path, 0, "this is no manifest of a journal");
        }
        if (in.getInt(checked) != Checksum.of(in, 0, checked)) {
            throw new JournalDamagedException(path, 0, "the manifest is damaged");
        }
        int version = in.position(MAGIC.length).getInt();
        if (version != SegmentHeader.VERSION) {
            throw new JournalDamagedException(
                    path, MAGIC.length, "format version " + version + "; this program reads " + SegmentHeader.VERSION);
        }
        byte[] named = new byte[Hash.LENGTH];
        in.get(named);
        if (!Arrays.equals(named, owner.toBytes())) {
            throw new ForeignJournalException(path);
        }
        long durable = in.getLong();
        int count = in.getInt();
        if (count < 1 || in.position() + (long) count * ENTRY != checked) {
            throw new JournalDamagedException(path, in.position(), count + " segments do not fit its length");
        }
        List<SegmentHeader> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            segments.add(new SegmentHeader(owner, in.getLong(), in.getLong(), in.getInt(), in.getLong()));
        }
        return new SegmentManifest(owner, durable, segments);
    }
}
