package org.aspas.certify.identity;

import java.util.Optional;

/**
 * A library's arithmetic of Ed25519 (RFC 8032). {@link Ed25519} asks what is cheap and common to all, which is length, the
 * range of S, the neutral R, and whether the key is sound; a provider does the rest. Implementations are thread-safe.
 */
interface Ed25519Provider {
    /** The library and its version, for people. */
    String name();

    /** What signs with one private key; the seed has the right length. */
    SignatureScheme.Signer signer(byte[] seed);

    /** Makes a public key ready for many verifications; empty when the library refuses the key. */
    Optional<KeyVerifier> prepare(PublicKey key);

    /** Verifies under one public key. Thread-safe. */
    @FunctionalInterface
    interface KeyVerifier {
        /**
         * Whether the first 32 bytes of the signature are the encoding of [S]B - [k]A. Under a key that is not sound it may
         * say what it likes.
         *
         * @param signature 64 bytes, S below the order of the group
         */
        boolean verify(byte[] text, byte[] signature);
    }
}
