package org.aspas.certify.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C (RFC 3720 §B.4), which finds damage; it keeps nobody from making bytes that fit. */
final class Checksum {
    static final int LENGTH = Integer.BYTES;

    private Checksum() {}

    /** Of the bytes from an offset on, whatever the buffer's position and limit. */
    static int of(ByteBuffer bytes, int from, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().clear().slice(from, length));
        return (int) checksum.getValue();
    }
}
