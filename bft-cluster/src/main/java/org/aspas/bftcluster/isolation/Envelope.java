package org.aspas.bftcluster.isolation;

import java.util.Arrays;
import java.util.Optional;

/** What one isolation layer sends another in a frame of their link: a byte for the kind, and the content. */
record Envelope(Kind kind, byte[] content) {
    enum Kind {
        /** The handshake of the sender's library. */
        HANDSHAKE(1),
        /** A frame of the sender's library for the receiver's. */
        FRAME(2),
        /** A request of the sender, to be ordered. */
        REQUEST(3),
        /** The sender's replica takes part; without content. */
        READY(4),
        /** Requests wait in the sender's replica that its leader does not order: {@link WaitingRequest}. */
        WAITS(5);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    static byte[] seal(Kind kind, byte[] content) {
        byte[] result = new byte[content.length + 1];
        result[0] = kind.code;
        System.arraycopy(content, 0, result, 1, content.length);
        return result;
    }

    /** Empty when the first byte is no kind. */
    static Optional<Envelope> open(byte[] frame) {
        for (Kind kind : Kind.values()) {
            if (frame.length > 0 && frame[0] == kind.code) {
                return Optional.of(new Envelope(kind, Arrays.copyOfRange(frame, 1, frame.length)));
            }
        }
        return Optional.empty();
    }
}
