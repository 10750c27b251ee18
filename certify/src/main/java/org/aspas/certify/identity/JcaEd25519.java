package org.aspas.certify.identity;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Ed25519 by a cofactorless provider of the Java Cryptography Architecture, with its own key
 * objects, or the JDK's where it has none. A {@link Signature} object belongs to one thread; to give it another key costs
 * next to nothing. Whatever the provider does not take, another one decides: AmazonCorrettoCryptoProvider throws at texts
 * above 1 MiB.
 */
final class JcaEd25519 implements Ed25519Provider {
    private static final String ALGORITHM = "Ed25519";
    private static final int MOST_TEXT_BYTES = 1 << 19;
    private static final byte[] PKCS8_PREFIX = HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final Provider provider;
    private final Ed25519Provider other;
    private final KeyFactory keys;
    private final ThreadLocal<Signature> signatures;

    /**
     * Ed25519 by a provider.
     *
     * @param provider one that compares the bytes of R with those that it computes
     * @param other one that takes everything
     * @throws GeneralSecurityException when the provider has no Ed25519, or this Java has no keys for it
     */
    JcaEd25519(Provider provider, Ed25519Provider other) throws GeneralSecurityException {
        this.provider = provider;
        this.other = other;
        this.keys = provider.getService("KeyFactory", ALGORITHM) != null
                ? KeyFactory.getInstance(ALGORITHM, provider)
                : KeyFactory.getInstance(ALGORITHM, "SunEC");
        Signature.getInstance(ALGORITHM, provider);
        this.signatures = ThreadLocal.withInitial(this::newSignature);
    }

    private Signature newSignature() {
        try {
            return Signature.getInstance(ALGORITHM, provider);
        } catch (GeneralSecurityException gone) {
            throw new IllegalStateException(provider.getName() + " has lost its Ed25519", gone);
        }
    }

    @Override
    public String name() {
        return provider.getName() + " " + provider.getVersionStr();
    }

    @Override
    public SignatureScheme.Signer signer(byte[] seed) {
        PrivateKey key;
        try {
            key = keys.generatePrivate(new PKCS8EncodedKeySpec(concatenate(PKCS8_PREFIX, seed)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(keys.getProvider().getName() + " refused an Ed25519 seed", impossible);
        }
        SignatureScheme.Signer unlimited = other.signer(seed);
        return text -> text.length > MOST_TEXT_BYTES ? unlimited.sign(text) : sign(key, text, unlimited);
    }

    private byte[] sign(PrivateKey key, byte[] text, SignatureScheme.Signer unlimited) {
        try {
            Signature signature = signatures.get();
            signature.initSign(key);
            signature.update(text);
            return signature.sign();
        } catch (GeneralSecurityException | RuntimeException failed) {
            signatures.remove();
            return unlimited.sign(text);
        }
    }

    @Override
    public Optional<KeyVerifier> prepare(PublicKey key) {
        try {
            java.security.PublicKey decoded =
                    keys.generatePublic(new X509EncodedKeySpec(concatenate(X509_PREFIX, key.toBytes())));
            return Optional.of((text, signature) -> text.length > MOST_TEXT_BYTES
                    ? verifyOtherwise(key, text, signature)
                    : verify(key, decoded, text, signature));
        } catch (GeneralSecurityException malformed) {
            return Optional.empty();
        } catch (RuntimeException failed) {
            return other.prepare(key);
        }
    }

    private boolean verify(PublicKey key, java.security.PublicKey decoded, byte[] text, byte[] signature) {
        try {
            Signature verifier = signatures.get();
            verifier.initVerify(decoded);
            verifier.update(text);
            return verifier.verify(signature);
        } catch (GeneralSecurityException | RuntimeException failed) {
            signatures.remove();
            return verifyOtherwise(key, text, signature);
        }
    }

    private boolean verifyOtherwise(PublicKey key, byte[] text, byte[] signature) {
        return other.prepare(key)
                .map(verifier -> verifier.verify(text, signature))
                .orElse(false);
    }

    private static byte[] concatenate(byte[] prefix, byte[] rest) {
        byte[] all = new byte[prefix.length + rest.length];
        System.arraycopy(prefix, 0, all, 0, prefix.length);
        System.arraycopy(rest, 0, all, prefix.length, rest.length);
        return all;
    }
}
