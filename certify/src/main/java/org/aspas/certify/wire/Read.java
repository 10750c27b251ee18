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
    public Read(long nonce, String key, String type, boolean certified, CertificateNumber certificate) {
        this(nonce, key, type, certified, certificate, null);
    }

    @Override
    public Kind kind() {
        return Kind.READ;
    }
}
