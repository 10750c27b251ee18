package org.aspas.certify.machine;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The machine's answer to every command.
 *
 * @param taken whether the command changed the machine
 * @param tick the current step of ordered time
 * @param certificate the number of the newest content that 2b+1 replicas committed to; 0 before the first
 */
public record Progress(boolean taken, long tick, long certificate) {
    private static final int LENGTH = 17;

    /** The 17 bytes of the answer. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH)
                .put((byte) (taken ? 1 : 0))
                .putLong(tick)
                .putLong(certificate)
                .array();
    }

    /** Reads an answer; empty when the bytes are none. */
    public static Optional<Progress> read(byte[] bytes) {
        if (bytes.length != LENGTH || bytes[0] < 0 || bytes[0] > 1) {
            return Optional.empty();
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return Optional.of(new Progress(buffer.get() == 1, buffer.getLong(), buffer.getLong()));
    }
}
