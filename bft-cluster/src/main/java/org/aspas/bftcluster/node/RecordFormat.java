package org.aspas.bftcluster.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.signer.RecordItem;
import org.aspas.certify.signer.RecordState;

/** The bytes of a record file (docs/formats.md §13): a header, then frames that each hold one item. */
final class RecordFormat {
    /** No frame is longer: an item is a few kilobytes. */
    static final int LONGEST_ITEM = 1 << 20;

    static final byte END = (byte) 0xa5;
    private static final byte[] MAGIC = "aspas-notary-v1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int CHECKED_HEADER = MAGIC.length + Hash.LENGTH + Integer.BYTES;

    /** The length of the header. */
    static final int HEADER = CHECKED_HEADER + Integer.BYTES;

    private static final int FRAME_HEADER = 3 * Integer.BYTES;

    private RecordFormat() {}

    /** What a file was found to hold. */
    sealed interface Reading {
        /**
         * A record, up to where its last whole frame ends.
         *
         * @param state what its items amount to
         * @param length where the last whole frame ends; behind it is at most one frame that was never finished
         */
        record Whole(RecordState state, int length) implements Reading {}

        /**
         * Bytes that no interrupted writing leaves.
         *
         * @param reason what is wrong, and where
         */
        record Damaged(String reason) implements Reading {}
    }

    static byte[] header(Hash deployment, int replica) {
        ByteBuffer header =
                ByteBuffer.allocate(HEADER).put(MAGIC).put(deployment.toBytes()).putInt(replica);
        return header.putInt(checksum(header.array(), 0, CHECKED_HEADER)).array();
    }

    static byte[] frame(RecordItem item) {
        byte[] payload = item.toBytes();
        if (payload.length > LONGEST_ITEM) {
            throw new IllegalStateException("an item of " + payload.length + " bytes");
        }
        ByteBuffer frame = ByteBuffer.allocate(FRAME_HEADER + payload.length + 1);
        frame.putInt(payload.length);
        frame.putInt(checksum(frame.array(), 0, Integer.BYTES));
        frame.putInt(checksum(payload, 0, payload.length));
        return frame.put(payload).put(END).array();
    }

    static Reading read(byte[] file, Hash deployment, int replica) {
        if (file.length < HEADER
                || checksum(file, 0, CHECKED_HEADER) != ByteBuffer.wrap(file).getInt(CHECKED_HEADER)) {
            return new Reading.Damaged("the header is damaged");
        }
        if (!Arrays.equals(header(deployment, replica), Arrays.copyOf(file, HEADER))) {
            return new Reading.Damaged("it is the record of another deployment or replica");
        }
        RecordState state = new RecordState();
        int at = HEADER;
        while (at < file.length) {
            int next = end(file, at);
            if (next < 0) {
                return tail(file, at) ? new Reading.Whole(state, at) : damaged(at);
            }
            Optional<RecordItem> item = RecordItem.read(Arrays.copyOfRange(file, at + FRAME_HEADER, next - 1));
            if (item.isEmpty()) {
                return damaged(at);
            }
            state.apply(item.get());
            at = next;
        }
        return new Reading.Whole(state, at);
    }

    private static Reading damaged(int at) {
        return new Reading.Damaged("the item at byte " + at + " is damaged");
    }

    /** Where the good frame at this place ends; -1 when there is none. */
    private static int end(byte[] file, int at) {
        if (file.length - at < FRAME_HEADER) {
            return -1;
        }
        ByteBuffer bytes = ByteBuffer.wrap(file);
        int length = bytes.getInt(at);
        if (bytes.getInt(at + Integer.BYTES) != checksum(file, at, Integer.BYTES) || length > LONGEST_ITEM) {
            return -1;
        }
        int payload = at + FRAME_HEADER;
        if (file.length - payload <= length
                || bytes.getInt(at + 2 * Integer.BYTES) != checksum(file, payload, length)
                || file[payload + length] != END) {
            return -1;
        }
        return payload + length + 1;
    }

    /**
     * Whether what follows is a frame whose writing was interrupted, so that nothing was ever said because of it: it ends
     * with the file too early, or in zeros, which a file system may leave where bytes did not arrive. A whole frame does not
     * end in a zero.
     */
    private static boolean tail(byte[] file, int at) {
        int rest = file.length - at;
        if (rest < FRAME_HEADER) {
            return true;
        }
        boolean lengthGood = ByteBuffer.wrap(file).getInt(at + Integer.BYTES) == checksum(file, at, Integer.BYTES);
        long whole = FRAME_HEADER + (long) ByteBuffer.wrap(file).getInt(at) + 1;
        if (lengthGood) {
            return rest < whole || (rest == whole && file[file.length - 1] == 0);
        }
        return rest <= LONGEST_ITEM && allZero(file, at + FRAME_HEADER);
    }

    private static boolean allZero(byte[] file, int from) {
        for (int i = from; i < file.length; i++) {
            if (file[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, length);
        return (int) checksum.getValue();
    }
}
