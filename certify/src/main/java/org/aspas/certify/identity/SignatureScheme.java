package org.aspas.certify.identity;

/**
 * How messages are signed and verified: {@link Ed25519} wherever something is to be protected. A simulation puts a keyed
 * hash in its place. Implementations are thread-safe, and a scheme's signatures of one text are always the same bytes.
 */
public interface SignatureScheme {
    /**
     * What signs with one private key. Thread-safe.
     *
     * @param seed the private seed, {@link Ed25519#SEED_LENGTH} bytes; kept, so not to be changed
     */
    Signer signer(byte[] seed);

    /** Whether the key signed the text; false for any malformed key or signature. */
    boolean verify(PublicKey key, byte[] text, byte[] signature);

    @FunctionalInterface
    interface Signer {
        /** The signature of the text, {@link Ed25519#SIGNATURE_LENGTH} bytes. */
        byte[] sign(byte[] text);
    }
}
