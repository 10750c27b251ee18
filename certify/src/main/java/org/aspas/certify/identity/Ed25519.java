package org.aspas.certify.identity;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Ed25519 (RFC 8032) through the Java Cryptography Architecture. The provider is Bouncy Castle: the JDK's own takes
 * about ten times as long. All nodes of a deployment use the same: implementations disagree on signatures made with
 * points of small order (docs/adr/0005-one-ed25519.md). Thread-safe.
 */
public final class Ed25519 {
    /** The length of a signature in bytes. */
    public static final int SIGNATURE_LENGTH = 64;

    /** The length of a private seed in bytes. */
    public static final int SEED_LENGTH = 32;

    private static final String ALGORITHM = "Ed25519";
    private static final byte[] PKCS8_PREFIX = HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    /** Ed25519 by Bouncy Castle. */
    public static final Ed25519 BOUNCY_CASTLE = new Ed25519(new BouncyCastleProvider());

    private static final int MOST_DECODED_KEYS = 8192;

    private final Provider provider;
    private final ThreadLocal<Signature> signers;
    private final ThreadLocal<Signature> verifiers;
    private final ConcurrentMap<PublicKey, java.security.PublicKey> decodedKeys = new ConcurrentHashMap<>();
    private final Set<PublicKey> soundKeys = ConcurrentHashMap.newKeySet();

    /**
     * Ed25519 by any JCA provider that has the algorithm.
     *
     * @param provider a provider with {@code Signature.Ed25519} and {@code KeyFactory.Ed25519}
     */
    public Ed25519(Provider provider) {
        this.provider = provider;
        this.signers = ThreadLocal.withInitial(() -> newSignature(provider));
        this.verifiers = ThreadLocal.withInitial(() -> newSignature(provider));
    }

    /** The public key of a private seed. */
    public static PublicKey publicKey(byte[] seed) {
        return PublicKey.of(
                new Ed25519PrivateKeyParameters(seed).generatePublicKey().getEncoded());
    }

    /** See {@link PublicKey#isSound()}. */
    static boolean isSound(byte[] raw) {
        return org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(raw, 0);
    }

    PrivateKey privateKey(byte[] seed) {
        try {
            return KeyFactory.getInstance(ALGORITHM, provider)
                    .generatePrivate(new PKCS8EncodedKeySpec(concatenate(PKCS8_PREFIX, seed)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("provider " + provider.getName() + " refused an Ed25519 seed", impossible);
        }
    }

    byte[] sign(PrivateKey key, byte[] text) {
        try {
            Signature signature = signers.get();
            signature.initSign(key);
            signature.update(text);
            return signature.sign();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("provider " + provider.getName() + " could not sign", impossible);
        }
    }

    /** Whether the signature is right; false for any malformed or unsound key and any malformed signature. */
    boolean verify(PublicKey key, byte[] text, byte[] signature) {
        if (signature.length != SIGNATURE_LENGTH) {
            return false;
        }
        try {
            Signature verifier = verifiers.get();
            verifier.initVerify(decoded(key));
            verifier.update(text);
            return verifier.verify(signature) && isKnownSound(key);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    /** Asked only under a right signature, and once per key: it costs more than the verification. */
    private boolean isKnownSound(PublicKey key) {
        if (soundKeys.contains(key)) {
            return true;
        }
        if (!key.isSound()) {
            return false;
        }
        if (soundKeys.size() >= MOST_DECODED_KEYS) {
            soundKeys.clear();
        }
        soundKeys.add(key);
        return true;
    }

    /** Decoding a point costs a good part of a verification, and the same few keys come again and again. */
    private java.security.PublicKey decoded(PublicKey key) throws GeneralSecurityException {
        java.security.PublicKey known = decodedKeys.get(key);
        if (known != null) {
            return known;
        }
        java.security.PublicKey decoded = KeyFactory.getInstance(ALGORITHM, provider)
                .generatePublic(new X509EncodedKeySpec(concatenate(X509_PREFIX, key.toBytes())));
        if (decodedKeys.size() >= MOST_DECODED_KEYS) {
            decodedKeys.clear();
        }
        decodedKeys.put(key, decoded);
        return decoded;
    }

    private static Signature newSignature(Provider provider) {
        try {
            return Signature.getInstance(ALGORITHM, provider);
        } catch (GeneralSecurityException absent) {
            throw new IllegalArgumentException("provider " + provider.getName() + " has no Ed25519", absent);
        }
    }

    private static byte[] concatenate(byte[] prefix, byte[] rest) {
        byte[] all = new byte[prefix.length + rest.length];
        System.arraycopy(prefix, 0, all, 0, prefix.length);
        System.arraycopy(rest, 0, all, prefix.length, rest.length);
        return all;
    }
}
