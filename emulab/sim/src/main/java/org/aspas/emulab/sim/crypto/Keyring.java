package org.aspas.emulab.sim.crypto;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
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
}
