package org.aspas.emulab.sim.engine;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Sealer;

/**
 * The keys of simulated parties, by name, with real Ed25519 or a fast stand-in behind the same classes. A key depends on
 * its name alone, so that each is made once per process. Thread-safe.
 */
public enum Keyring {
    /** A keyed hash with the shape of Ed25519; nobody can sign for another. */
    FAST,
    REAL;

    private final KeyedHash keyedHash = new KeyedHash();
    private final Map<String, SigningKey> keys = new ConcurrentHashMap<>();

    public Sealer sealer(String name, Hash deployment) {
        return new Sealer(keys.computeIfAbsent(name, this::make), deployment);
    }

    public Verifier verifier(Hash deployment) {
        return new Verifier(deployment, scheme());
    }

    /** Signs as the named party by another scheme, which stands on this one. */
    public Sealer sealer(String name, Hash deployment, SignatureScheme over) {
        SigningKey known = keys.computeIfAbsent(name, this::make);
        return new Sealer(SigningKey.of(known.seed(), over), deployment);
    }

    public SignatureScheme scheme() {
        return this == FAST ? keyedHash : Ed25519Choice.ofThisProcess().scheme();
    }

    private SigningKey make(String name) {
        byte[] seed = Hash.sha256(("simulated " + name).getBytes(StandardCharsets.UTF_8))
                .toBytes();
        SigningKey key = SigningKey.of(seed, scheme());
        keyedHash.register(key.publicKey(), seed);
        return key;
    }

    /**
     * Stands in for Ed25519 in bulk simulation, about a hundred times as fast: the signature is a SHA-256 over the signer's
     * secret and the text. Whoever verifies needs the secret, so this object keeps the secrets of all keys and gives none
     * away: nobody but the holder of a signing key can make its signatures, which is all that a simulated attacker must not
     * do. It is no public-key signature and protects nothing outside a simulation.
     */
    private static final class KeyedHash implements SignatureScheme {
        private static final ThreadLocal<MessageDigest> DIGESTS = ThreadLocal.withInitial(KeyedHash::digest);

        private final Map<PublicKey, byte[]> secrets = new ConcurrentHashMap<>();

        private static MessageDigest digest() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException("every Java has SHA-256", impossible);
            }
        }

        /** Makes the signatures of a key verifiable. */
        void register(PublicKey key, byte[] secret) {
            secrets.put(key, secret.clone());
        }

        @Override
        public Signer signer(byte[] seed) {
            return text -> signature(seed, text);
        }

        @Override
        public boolean verify(PublicKey key, byte[] text, byte[] signature) {
            byte[] secret = secrets.get(key);
            return secret != null && Arrays.equals(signature(secret, text), signature);
        }

        private static byte[] signature(byte[] secret, byte[] text) {
            MessageDigest digest = DIGESTS.get();
            digest.update(secret);
            digest.update(text);
            return Arrays.copyOf(digest.digest(), Ed25519.SIGNATURE_LENGTH);
        }
    }
}
