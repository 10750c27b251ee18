package org.aspas.certify.wire;

import org.jspecify.annotations.Nullable;

/**
 * A RESPONSE on its way to the client with what the client needs to check it.
 *
 * @param certificate the server's newest certificate, present when the client's known one is older
 * @param proof for a certified read, the object's leaf with its proof against the certificate's state root
 */
public record Answer(
        Signed<Response> response,
        @Nullable Certificate certificate,
        @Nullable ObjectProof proof) implements Message {
    static final Schema<Answer> SCHEMA = items -> new Answer(
            items.of(Response.SIGNED, Answer::response),
            items.optional(Certificate.ITEM, Answer::certificate),
            items.optional(ObjectProof.ITEM, Answer::proof));
}
