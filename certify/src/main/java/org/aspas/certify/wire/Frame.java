package org.aspas.certify.wire;

import java.util.Arrays;

/** What one frame of a connection, or one ordered command, holds. */
public sealed interface Frame {
    /** The message; nobody has verified its signature, if it has one. */
    Message message();

    /** A message without a signature of its own. */
    record Plain(Message message) implements Frame {}

    /**
     * A signed message; the signature is not verified yet.
     *
     * @param tags those beside a client's request, as in {@link TaggedRequest}; empty for none; not copied, never to be changed
     */
    record Sealed(Signed<? extends Message> signed, byte[] tags) implements Frame {
        private static final byte[] NO_TAGS = {};

        public Sealed(Signed<? extends Message> signed) {
            this(signed, NO_TAGS);
        }

        @Override
        public Message message() {
            return signed.message();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Sealed that && signed.equals(that.signed) && Arrays.equals(tags, that.tags);
        }

        @Override
        public int hashCode() {
            return signed.hashCode();
        }
    }
}
