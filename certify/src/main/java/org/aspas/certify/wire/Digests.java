package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;

/** Digests of whole encodings, by which signed messages name what they do not contain. Pure functions; thread-safe. */
public final class Digests {
    private Digests() {}

    /** What a RESPONSE to a read names as its leaf. */
    public static Hash read(Read read) {
        return Hash.sha256(Codec.encode(read));
    }

    /** What a RESPONSE names beside the number of a certificate; it covers the signatures, other than the certificate's hash. */
    public static Hash certificate(Certificate certificate) {
        return Hash.sha256(Codec.encode(certificate));
    }

    /** The identity of a piece of evidence. */
    public static Hash evidence(Evidence evidence) {
        return Hash.sha256(Codec.encode(evidence));
    }
}
