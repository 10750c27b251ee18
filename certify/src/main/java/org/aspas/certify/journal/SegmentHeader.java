package org.aspas.certify.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.aspas.certify.identity.Hash;

/**
 * The first bytes of a segment's file (docs/formats.md §15).
 *
 * @param number rises with each segment, from 1
 * @param first the position of the segment's first record
 * @param length the length of the file, in bytes
 * @param mark begins each group of the segment; nobody can guess it, so that no record can pass for a group
 */
record SegmentHeader(Hash owner, long number, long first, int length, long mark) {
    /** The version of all files of the journal. */
    static final int VERSION = 1;

    private static final byte[] MAGIC = "ASPASJNL".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKED =
            MAGIC.length + Integer.BYTES + Hash.LENGTH + 2 * Long.BYTES + Integer.BYTES + Long.BYTES;

    static final int BYTES = CHECKED + Checksum.LENGTH;

    String name() {
        return name(number);
    }

    static String name(long number) {
        return String.format(Locale.ROOT, "journal-%016x", number);
    }

    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES).put(MAGIC).putInt(VERSION).put(owner.toBytes());
        out.putLong(number).putLong(first).putInt(length).putLong(mark);
        return out.putInt(Checksum.of(out, 0, CHECKED)).flip();
    }

    /** Whether a file begins with exactly this header. */
    boolean begins(ByteBuffer file) {
        return file.capacity() >= BYTES && file.duplicate().clear().limit(BYTES).equals(encode());
    }
}
