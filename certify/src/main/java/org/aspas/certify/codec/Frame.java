package org.aspas.certify.codec;

import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;

/** What one frame of a connection, or one ordered command, holds. */
public sealed interface Frame {
    /**
     * A message without a signature of its own.
     *
     * @param message the message
     */
    record Plain(Message message) implements Frame {}

    /**
     * A signed message; the signature is not verified yet.
     *
     * @param signed the message with its bytes and signature
     */
    record Sealed(Signed<? extends Message> signed) implements Frame {}
}
