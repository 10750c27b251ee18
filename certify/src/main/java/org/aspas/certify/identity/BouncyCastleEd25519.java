package org.aspas.certify.identity;

import java.util.Optional;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.math.ec.rfc8032.Ed25519.PublicPoint;

/**
 * Ed25519 by Bouncy Castle, which runs on every Java. Its own verification multiplies by the cofactor 8 before it compares,
 * so that R may be off by a point of small order. Here R must also be of prime order, as the key and the base point are: in
 * that group the factor 8 makes nothing vanish, and what is left is the rule.
 */
final class BouncyCastleEd25519 implements Ed25519Provider {
    @Override
    public String name() {
        return "Bouncy Castle " + new BouncyCastleProvider().getVersionStr();
    }

    static byte[] publicKey(byte[] seed) {
        byte[] raw = new byte[PublicKey.LENGTH];
        org.bouncycastle.math.ec.rfc8032.Ed25519.generatePublicKey(seed, 0, raw, 0);
        return raw;
    }

    /** Whether these bytes, from an offset on, are the canonical encoding of a point of prime order. */
    static boolean isOfPrimeOrder(byte[] bytes, int offset) {
        return org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(bytes, offset);
    }

    @Override
    public SignatureScheme.Signer signer(byte[] seed) {
        byte[] publicKey = publicKey(seed);
        return text -> {
            byte[] signature = new byte[Ed25519.SIGNATURE_LENGTH];
            org.bouncycastle.math.ec.rfc8032.Ed25519.sign(seed, 0, publicKey, 0, text, 0, text.length, signature, 0);
            return signature;
        };
    }

    @Override
    public Optional<KeyVerifier> prepare(PublicKey key) {
        return cofactored(key)
                .map(own -> (text, signature) -> own.verify(text, signature) && isOfPrimeOrder(signature, 0));
    }

    /** Bouncy Castle's own verification, which accepts more than the rule. */
    static Optional<KeyVerifier> cofactored(PublicKey key) {
        PublicPoint point = org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyPartialExport(key.toBytes(), 0);
        return Optional.ofNullable(point)
                .map(known -> (text, signature) ->
                        org.bouncycastle.math.ec.rfc8032.Ed25519.verify(signature, 0, known, text, 0, text.length));
    }
}
