package org.aspas.bftcluster.engine;

import bftsmart.reconfiguration.util.RsaKeyLoader;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;

/** The replicas' RSA keys, and this replica's private one; nothing else is ever handed to the library. */
final class PinnedRsaKeys implements RsaKeyLoader {
    /** Excludes the 1024-bit key pair that is published inside the library. */
    static final int MIN_MODULUS_BITS = 2048;

    private final int replica;
    private final PrivateKey own;
    private final List<PublicKey> keys;

    PinnedRsaKeys(int replica, KeyPair own, List<PublicKey> keys) {
        this.replica = replica;
        this.own = own.getPrivate();
        this.keys = List.copyOf(keys);
        int bits = modulusBits(0);
        for (int i = 0; i < keys.size(); i++) {
            // The library keeps one signature size for the whole process.
            if (modulusBits(i) < MIN_MODULUS_BITS || modulusBits(i) != bits) {
                throw new IllegalArgumentException("ordering key of bftserver-" + i + " has " + modulusBits(i)
                        + " bits; all need the same length, at least " + MIN_MODULUS_BITS);
            }
        }
        if (!keys.get(replica).equals(own.getPublic())) {
            throw new IllegalArgumentException(
                    "the private ordering key is not that of bftserver-" + replica + " in the descriptor");
        }
    }

    private int modulusBits(int index) {
        if (keys.get(index) instanceof RSAPublicKey rsa) {
            return rsa.getModulus().bitLength();
        }
        throw new IllegalArgumentException("ordering key of bftserver-" + index + " is not an RSA key");
    }

    @Override
    public PublicKey loadPublicKey(int id) {
        if (id < 0 || id >= keys.size()) {
            throw new IllegalArgumentException("no replica has id " + id);
        }
        return keys.get(id);
    }

    @Override
    public PrivateKey loadPrivateKey(int id) {
        if (id != replica) {
            throw new IllegalArgumentException("the private key of replica " + id + " is not here");
        }
        return own;
    }
}
