package org.aspas.certify.machine;

import java.nio.ByteBuffer;
import org.aspas.certify.wire.CertificateNumber;

/**
 * The machine's answer to every command.
 *
 * @param taken whether the command changed the machine
 * @param tick the current step of ordered time
 * @param certificate the number of the newest content that 2b+1 replicas committed to
 */
public record CommandReply(boolean taken, long tick, CertificateNumber certificate) {
    private static final int LENGTH = 17;

    /** The 17 bytes of the answer: whether it was taken (1 or 0), the step and the number, both as 8 bytes, big-endian. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .put((byte) (taken ? 1 : 0))
                .putLong(tick)
                .putLong(certificate.value())
                .array();
    }
}
