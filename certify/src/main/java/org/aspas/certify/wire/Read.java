package org.aspas.certify.wire;

import org.jspecify.annotations.Nullable;

/**
 * A client's question for the value of an object, or for a part of it.
 *
 * @param nonce the client's name for this read, echoed in the answer
 * @param type the datatype the client expects
 * @param certified whether the value must be that of a certificate, with its proof
 * @param certificate the highest certificate number the client has verified; a certified answer must not be older, but for
 *     a page of a certain certificate
 * @param part which part of the value is wanted; absent for all of it
 */
public record Read(
        long nonce,
        String key,
        String type,
        boolean certified,
        CertificateNumber certificate,
        @Nullable ReadPart part) implements Message {
    static final Item<Read> ITEM = Item.message(Read.class);

    static final Schema<Read> SCHEMA = items -> new Read(
            items.natural(Read::nonce),
            items.text(Read::key),
            items.text(Read::type),
            items.bool(Read::certified),
            items.certificate(Read::certificate),
            items.optional(ReadPart.ITEM, Read::part));

    public Read(long nonce, String key, String type, boolean certified, CertificateNumber certificate) {
        this(nonce, key, type, certified, certificate, null);
    }
}
