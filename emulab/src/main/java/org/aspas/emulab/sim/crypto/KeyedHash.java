package org.aspas.emulab.sim.crypto;

import java.io.Serial;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactorySpi;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SignatureSpi;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for Ed25519 in bulk simulation, about a hundred times as fast: the signature is a SHA-256 over the signer's
 * secret and the text. Whoever verifies needs the secret, so this object keeps the secrets of all keys and gives none
 * away: nobody but the holder of a signing key can make its signatures, which is all that a simulated attacker must not
 * do. It is no public-key signature and protects nothing outside a simulation.
 */
@SuppressWarnings("serial") // Providers are serializable by inheritance; nobody does it.
final class KeyedHash extends Provider {
    @Serial
    private static final long serialVersionUID = 1;

    private static final String ALGORITHM = "Ed25519";
    private static final int RAW = 32;
    private static final int SIGNATURE = 64;

    private final transient Map<String, byte[]> secrets = new ConcurrentHashMap<>();

    KeyedHash() {
        super("AspasKeyedHash", "1.0", "A keyed hash in place of Ed25519, for simulation only");
        putService(new Service(this, "Signature", ALGORITHM, Signer.class.getName(), List.of(), Map.of()) {
            @Override
            public Object newInstance(@Nullable Object parameter) {
                return new Signer(secrets);
            }
        });
        putService(new Service(this, "KeyFactory", ALGORITHM, Keys.class.getName(), List.of(), Map.of()) {
            @Override
            public Object newInstance(@Nullable Object parameter) {
                return new Keys();
            }
        });
    }

    /** Makes the signatures of a key verifiable. */
    void register(org.aspas.certify.identity.PublicKey key, byte[] secret) {
        secrets.put(key.toString(), secret.clone());
    }

    private record Secret(byte[] bytes) implements PrivateKey {
        @Override
        public String getAlgorithm() {
            return ALGORITHM;
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return bytes.clone();
        }
    }

    private record Name(String hex, byte[] bytes) implements PublicKey {
        @Override
        public String getAlgorithm() {
            return ALGORITHM;
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return bytes.clone();
        }
    }

    private static final class Keys extends KeyFactorySpi {
        @Override
        protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
            byte[] raw = lastBytes(spec);
            return new Name(HexFormat.of().formatHex(raw), raw);
        }

        @Override
        protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
            return new Secret(lastBytes(spec));
        }

        private static byte[] lastBytes(KeySpec spec) throws InvalidKeySpecException {
            if (!(spec instanceof EncodedKeySpec encoded)) {
                throw new InvalidKeySpecException("only encoded keys");
            }
            byte[] all = encoded.getEncoded();
            return Arrays.copyOfRange(all, all.length - RAW, all.length);
        }

        @Override
        protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> wanted) throws InvalidKeySpecException {
            throw new InvalidKeySpecException("keys are not given away");
        }

        @Override
        protected Key engineTranslateKey(Key key) throws InvalidKeyException {
            throw new InvalidKeyException("keys are not translated");
        }
    }

    private static final class Signer extends SignatureSpi {
        private final Map<String, byte[]> secrets;
        private final MessageDigest digest;
        private boolean known;

        Signer(Map<String, byte[]> secrets) {
            this.secrets = secrets;
            try {
                this.digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException("every Java has SHA-256", impossible);
            }
        }

        private void begin(byte @Nullable [] secret) {
            digest.reset();
            known = secret != null;
            if (secret != null) {
                digest.update(secret);
            }
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            begin(key instanceof Name name ? secrets.get(name.hex()) : null);
        }

        @Override
        protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
            begin(key instanceof Secret secret ? secret.bytes() : null);
        }

        @Override
        protected void engineUpdate(byte one) {
            digest.update(one);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int length) {
            digest.update(bytes, offset, length);
        }

        @Override
        protected byte[] engineSign() {
            return Arrays.copyOf(digest.digest(), SIGNATURE);
        }

        @Override
        protected boolean engineVerify(byte[] signature) {
            byte[] right = engineSign();
            return known && Arrays.equals(right, signature);
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {
            throw new UnsupportedOperationException("no parameters");
        }

        @Override
        @Deprecated
        protected @Nullable Object engineGetParameter(String name) {
            return null;
        }
    }
}
