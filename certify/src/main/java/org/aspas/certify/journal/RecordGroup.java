package org.aspas.certify.journal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records that were written together (docs/formats.md §15). Nobody may change the arrays.
 *
 * @param first the position of its first record
 * @param synced all records below this position were durable when the group was written; at most {@code first}
 * @param records in order; none in a group that only tells what is synced
 */
record RecordGroup(long first, long synced, List<byte[]> records) {
    /** How many bytes a group has before its records. */
    static final int HEADER = 3 * Long.BYTES + 2 * Integer.BYTES + 2 * Checksum.LENGTH;

    private static final int COUNT_AT = 3 * Long.BYTES;
    private static final int LENGTH_AT = COUNT_AT + Integer.BYTES;
    private static final int BODY_CHECK_AT = LENGTH_AT + Integer.BYTES;
    private static final int HEADER_CHECK_AT = BODY_CHECK_AT + Checksum.LENGTH;

    /** The position behind its last record. */
    long next() {
        return first + records.size();
    }

    static long bytes(Iterable<byte[]> records) {
        long bytes = HEADER;
        for (byte[] one : records) {
            bytes += Integer.BYTES + one.length;
        }
        return bytes;
    }

    ByteBuffer encode(long mark) {
        int length = Math.toIntExact(bytes(records));
        ByteBuffer out = ByteBuffer.allocate(length).position(HEADER);
        for (byte[] one : records) {
            out.putInt(one.length).put(one);
        }
        out.clear()
                .putLong(mark)
                .putLong(first)
                .putLong(synced)
                .putInt(records.size())
                .putInt(length - HEADER);
        out.putInt(Checksum.of(out, HEADER, length - HEADER));
        return out.putInt(Checksum.of(out, 0, HEADER_CHECK_AT)).clear();
    }

    /** Whether a whole header of a group of this segment stands here; its records may be torn. */
    static boolean headerAt(ByteBuffer file, int at, long mark) {
        return file.capacity() - at >= HEADER
                && file.getLong(at) == mark
                && file.getInt(at + HEADER_CHECK_AT) == Checksum.of(file, at, HEADER_CHECK_AT);
    }

    /** Up to which position all was durable, as the whole header here says. */
    static long syncedAt(ByteBuffer file, int at) {
        return file.getLong(at + 2 * Long.BYTES);
    }

    /** The whole group here; empty when none is. */
    static Optional<RecordGroup> read(ByteBuffer file, int at, long mark) {
        if (!headerAt(file, at, mark)) {
            return Optional.empty();
        }
        int body = at + HEADER;
        int length = file.getInt(at + LENGTH_AT);
        if (length < 0
                || length > file.capacity() - body
                || file.getInt(at + BODY_CHECK_AT) != Checksum.of(file, body, length)) {
            return Optional.empty();
        }
        return records(file.duplicate().clear().position(body).limit(body + length), file.getInt(at + COUNT_AT))
                .map(records -> new RecordGroup(file.getLong(at + Long.BYTES), syncedAt(file, at), records));
    }

    private static Optional<List<byte[]>> records(ByteBuffer body, int count) {
        List<byte[]> records = new ArrayList<>();
        while (body.remaining() >= Integer.BYTES) {
            int length = body.getInt();
            if (length < 0 || length > body.remaining()) {
                return Optional.empty();
            }
            byte[] one = new byte[length];
            body.get(one);
            records.add(one);
        }
        return body.hasRemaining() || records.size() != count ? Optional.empty() : Optional.of(records);
    }
}
