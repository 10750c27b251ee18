package org.aspas.certify.identity;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.aspas.certify.identity.Ed25519Provider.KeyVerifier;

/**
 * Ed25519 (RFC 8032) by one rule, whatever library computes it (docs/adr/0005-one-ed25519.md). A signature R ‖ S of a text
 * under a key A is right if and only if
 *
 * <ul>
 *   <li>A is sound ({@link PublicKey#isSound()}): the canonical encoding of a point of prime order;
 *   <li>S, little-endian, is below the order L of the group;
 *   <li>R is, byte for byte, the encoding of [S]B - [k]A, where k = SHA-512(R ‖ A ‖ text), and B is the base point;
 *   <li>R is not the encoding of the neutral element.
 * </ul>
 *
 * <p>OpenSSL, libsodium, the JDK and browsers compare the bytes of R too. {@link Ed25519Choice} tells which library this
 * process uses. Thread-safe.
 */
public final class Ed25519 implements SignatureScheme {
    /** The length of a signature in bytes. */
    public static final int SIGNATURE_LENGTH = 64;

    /** The length of a private seed in bytes. */
    public static final int SEED_LENGTH = 32;

    /** The name of the rule in the deployment descriptor. */
    public static final String RULE = "ed25519-cofactorless";

    private static final int HALF = 32;
    private static final int MOST_PREPARED_KEYS = 8192;

    /** L = 2^252 + 27742317777372353535851937790883648493, little-endian. */
    private static final byte[] ORDER =
            HexFormat.of().parseHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");

    private final Ed25519Provider provider;

    /** Sound keys only, under which a right signature was seen: others cannot push them out. */
    private final ConcurrentMap<PublicKey, KeyVerifier> prepared = new ConcurrentHashMap<>();

    Ed25519(Ed25519Provider provider) {
        this.provider = provider;
    }

    /** The library that computes, with its version. */
    public String provider() {
        return provider.name();
    }

    public static PublicKey publicKey(byte[] seed) {
        return PublicKey.of(BouncyCastleEd25519.publicKey(seed));
    }

    /** See {@link PublicKey#isSound()}. */
    static boolean isSound(byte[] raw) {
        return BouncyCastleEd25519.isOfPrimeOrder(raw, 0);
    }

    @Override
    public Signer signer(byte[] seed) {
        return provider.signer(seed);
    }

    @Override
    public boolean verify(PublicKey key, byte[] text, byte[] signature) {
        if (signature.length != SIGNATURE_LENGTH || !isBelowOrder(signature) || isNeutral(signature)) {
            return false;
        }
        KeyVerifier known = prepared.get(key);
        return known != null ? known.verify(text, signature) : verifyFirst(key, text, signature);
    }

    /** Whether a key is sound is asked under a right signature only, and once: it costs twice a verification. */
    private boolean verifyFirst(PublicKey key, byte[] text, byte[] signature) {
        Optional<KeyVerifier> fresh = provider.prepare(key);
        if (fresh.isEmpty() || !fresh.get().verify(text, signature) || !key.isSound()) {
            return false;
        }
        if (prepared.size() >= MOST_PREPARED_KEYS) {
            prepared.clear();
        }
        prepared.put(key, fresh.get());
        return true;
    }

    /** Whether S, the second half, is below L. */
    private static boolean isBelowOrder(byte[] signature) {
        for (int i = HALF - 1; i >= 0; i--) {
            int difference = Byte.compareUnsigned(signature[HALF + i], ORDER[i]);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }

    /** Whether R, the first half, is the canonical encoding of the neutral element: y = 1, x = 0. */
    private static boolean isNeutral(byte[] signature) {
        return signature[0] == 1 && Arrays.equals(signature, 1, HALF, new byte[HALF], 1, HALF);
    }
}
