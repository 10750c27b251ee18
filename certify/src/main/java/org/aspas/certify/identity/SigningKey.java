package org.aspas.certify.identity;

import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.EdECPrivateKey;

/** A private key with its public half. Thread-safe; never printed. */
public final class SigningKey {
    private final byte[] seed;
    private final SignatureScheme.Signer signer;
    private final PublicKey publicKey;
    private final SignatureMeter meter;

    private SigningKey(byte[] seed, SignatureScheme.Signer signer, PublicKey publicKey, SignatureMeter meter) {
        this.seed = seed;
        this.signer = signer;
        this.publicKey = publicKey;
        this.meter = meter;
    }

    /**
     * A new key, made by the JDK's own generator of Ed25519 keys and its randomness. A core never calls this: it is given its key.
     *
     * @throws IllegalStateException when this JDK makes no Ed25519 keys
     */
    public static SigningKey generate() {
        try {
            EdECPrivateKey key = (EdECPrivateKey)
                    KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
            return of(key.getBytes().orElseThrow());
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this JDK makes no Ed25519 keys", missing);
        }
    }

    /**
     * The key of a 32-byte seed, which signs by Ed25519.
     *
     * @throws IllegalArgumentException when the seed is not 32 bytes long
     */
    public static SigningKey of(byte[] seed) {
        return of(seed, Ed25519Choice.ofThisProcess().scheme());
    }

    /**
     * The key of a 32-byte seed, which signs by another scheme.
     *
     * @param scheme the one that also stands behind the {@link Verifier} of whoever reads the signatures
     * @throws IllegalArgumentException when the seed is not 32 bytes long
     */
    public static SigningKey of(byte[] seed, SignatureScheme scheme) {
        if (seed.length != Ed25519.SEED_LENGTH) {
            throw new IllegalArgumentException("a private seed has 32 bytes, not " + seed.length);
        }
        byte[] own = seed.clone();
        return new SigningKey(own, scheme.signer(own), Ed25519.publicKey(own), SignatureMeter.NONE);
    }

    public SigningKey metered(SignatureMeter other) {
        return new SigningKey(seed, signer, publicKey, other);
    }

    /** A copy of the private seed, for storing it and for the node's TLS identity. */
    public byte[] seed() {
        return seed.clone();
    }

    public PublicKey publicKey() {
        return publicKey;
    }

    /** Signs the payload for one use in one deployment; 64 bytes. */
    public byte[] sign(Domain domain, Hash deployment, byte[] payload) {
        meter.signed(domain);
        return signer.sign(domain.signedText(deployment, payload));
    }

    @Override
    public String toString() {
        return "SigningKey(" + publicKey + ")";
    }
}
