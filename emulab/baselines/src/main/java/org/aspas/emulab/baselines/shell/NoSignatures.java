package org.aspas.emulab.baselines.shell;

import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/**
 * Signatures that cost nothing and prove nothing: as many bytes as real ones, all zero, and every one is taken. For systems
 * that are compared with ASPAS and have no signatures, so that their messages have the same sizes.
 */
public final class NoSignatures implements SignatureScheme {
    private static final byte[] NOTHING = new byte[Ed25519.SIGNATURE_LENGTH];

    @Override
    public Signer signer(byte[] seed) {
        return text -> NOTHING;
    }

    @Override
    public boolean verify(PublicKey key, byte[] text, byte[] signature) {
        return true;
    }

    /** A message in the form of a signed one. */
    public static <M extends Message> Signed<M> seal(M message) {
        return new Signed<>(message, Codec.encode(message), NOTHING);
    }
}
