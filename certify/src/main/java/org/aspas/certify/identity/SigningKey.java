package org.aspas.certify.identity;

import java.security.PrivateKey;

/** A private Ed25519 key with its public half. Thread-safe; never printed. */
public final class SigningKey {
    private final Ed25519 scheme;
    private final byte[] seed;
    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    private SigningKey(Ed25519 scheme, byte[] seed) {
        this.scheme = scheme;
        this.seed = seed;
        this.privateKey = scheme.privateKey(seed);
        this.publicKey = Ed25519.publicKey(seed);
    }

    /**
     * The key of a 32-byte seed.
     *
     * @throws IllegalArgumentException when the seed is not 32 bytes long
     */
    public static SigningKey of(byte[] seed) {
        return of(seed, Ed25519.BOUNCY_CASTLE);
    }

    /**
     * The key of a 32-byte seed, which signs by another implementation of Ed25519.
     *
     * @param scheme the one that also stands behind the {@link Verifier} of whoever reads the signatures
     * @throws IllegalArgumentException when the seed is not 32 bytes long
     */
    public static SigningKey of(byte[] seed, Ed25519 scheme) {
        if (seed.length != Ed25519.SEED_LENGTH) {
            throw new IllegalArgumentException("a private seed has 32 bytes, not " + seed.length);
        }
        return new SigningKey(scheme, seed.clone());
    }

    /** A copy of the private seed, for storing it and for the node's TLS identity. */
    public byte[] seed() {
        return seed.clone();
    }

    /** The public half. */
    public PublicKey publicKey() {
        return publicKey;
    }

    /** Signs the payload for one use in one deployment; 64 bytes. */
    public byte[] sign(Domain domain, Hash deployment, byte[] payload) {
        return scheme.sign(privateKey, domain.signedText(deployment, payload));
    }

    @Override
    public String toString() {
        return "SigningKey(" + publicKey + ")";
    }
}
