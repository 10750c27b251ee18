package org.aspas.certify.identity;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.math.ec.rfc7748.X25519;
import org.jspecify.annotations.Nullable;

/**
 * A private X25519 key (RFC 7748), by which two parties come to one secret: a client by a fresh one for each session, an appserver by the
 * one that follows from its Ed25519 seed. Thread-safe; never printed.
 */
public final class AgreementKey {
    private static final byte[] OF_SERVER = "aspas/v1/agreement".getBytes(StandardCharsets.US_ASCII);

    private final byte[] secret;
    private final AgreementShare share;

    private AgreementKey(byte[] secret) {
        this.secret = secret;
        byte[] raw = new byte[AgreementShare.LENGTH];
        X25519.generatePublicKey(secret, 0, raw, 0);
        this.share = AgreementShare.of(raw);
    }

    /**
     * The key of 32 secret bytes.
     *
     * @param secret copied
     * @throws IllegalArgumentException when there are not 32 of them
     */
    public static AgreementKey of(byte[] secret) {
        if (secret.length != X25519.SCALAR_SIZE) {
            throw new IllegalArgumentException("a private X25519 key has 32 bytes, not " + secret.length);
        }
        return new AgreementKey(secret.clone());
    }

    /** The key of a server: HKDF-SHA256 of its Ed25519 seed, so that it has no file of its own. */
    public static AgreementKey ofServer(SigningKey key) {
        return new AgreementKey(derived(key.seed(), null, OF_SERVER));
    }

    public AgreementShare share() {
        return share;
    }

    /**
     * A key that only the holders of the two private keys can derive (RFC 5869).
     *
     * @param salt names the deployment
     * @param info names what the key is for; of one length for each use
     * @return 32 bytes; empty where the other share is of small order, so that no secret comes of it
     */
    public Optional<byte[]> agree(AgreementShare other, Hash salt, byte[] info) {
        byte[] agreed = new byte[X25519.POINT_SIZE];
        return X25519.calculateAgreement(secret, 0, other.toBytes(), 0, agreed, 0)
                ? Optional.of(derived(agreed, salt.toBytes(), info))
                : Optional.empty();
    }

    private static byte[] derived(byte[] secret, byte @Nullable [] salt, byte[] info) {
        HKDFBytesGenerator generator = new HKDFBytesGenerator(SHA256Digest.newInstance());
        generator.init(new HKDFParameters(secret, salt, info));
        byte[] key = new byte[X25519.SCALAR_SIZE];
        generator.generateBytes(key, 0, key.length);
        return key;
    }

    @Override
    public String toString() {
        return "AgreementKey(" + share + ")";
    }
}
