package org.aspas.emulab.baselines.obft.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;

/**
 * The secrets of one replica: a key for each pair that it is in, with replicas and clients, and a key to sign by. Codes are
 * HMAC-SHA-256 (RFC 2104), cut to {@value #MAC_BYTES} bytes. Signatures are for the agreement alone. Not thread-safe.
 */
public final class ObftKeys {
    public static final int MAC_BYTES = 16;

    private static final String HMAC = "HmacSHA256";
    private static final byte[] PREFIX = "aspas/rivals/obft/v1\0".getBytes(StandardCharsets.UTF_8);

    private final int self;
    private final List<Mac> peers;
    private final Mac clients;
    private final byte[] signingSeed;
    private final SignatureScheme scheme;
    private final SignatureScheme.Signer signer;
    private final List<PublicKey> publicKeys;

    private ObftKeys(
            int self,
            List<Mac> peers,
            Mac clients,
            byte[] signingSeed,
            SignatureScheme scheme,
            List<PublicKey> publicKeys) {
        this.self = self;
        this.peers = peers;
        this.clients = clients;
        this.signingSeed = signingSeed;
        this.scheme = scheme;
        this.signer = scheme.signer(signingSeed);
        this.publicKeys = publicKeys;
    }

    /**
     * The secrets of all replicas of a group, from one secret: whoever deals them is trusted, as the maker of a testbed is.
     *
     * @param secret any bytes that nobody else knows
     */
    public static List<ObftKeys> deal(int replicas, byte[] secret, SignatureScheme scheme) {
        Mac dealer = mac(secret);
        List<byte[]> seeds = new ArrayList<>();
        List<PublicKey> publicKeys = new ArrayList<>();
        for (int replica = 0; replica < replicas; replica++) {
            byte[] seed = secret(dealer, "sign", replica, 0);
            seeds.add(seed);
            publicKeys.add(Ed25519.publicKey(seed));
        }
        List<ObftKeys> all = new ArrayList<>();
        for (int self = 0; self < replicas; self++) {
            List<Mac> peers = new ArrayList<>();
            for (int peer = 0; peer < replicas; peer++) {
                peers.add(mac(secret(dealer, "pair", Math.min(self, peer), Math.max(self, peer))));
            }
            Mac clients = mac(secret(dealer, "clients", self, 0));
            all.add(new ObftKeys(self, peers, clients, seeds.get(self), scheme, List.copyOf(publicKeys)));
        }
        return all;
    }

    private static byte[] secret(Mac dealer, String use, long one, long other) {
        dealer.update(use.getBytes(StandardCharsets.UTF_8));
        return dealer.doFinal(
                ByteBuffer.allocate(2 * Long.BYTES).putLong(one).putLong(other).array());
    }

    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + HMAC, impossible);
        }
    }

    /** The code of the first {@code length} bytes. */
    static byte[] code(Mac mac, byte[] bytes, int length) {
        mac.update(bytes, 0, length);
        return Arrays.copyOf(mac.doFinal(), MAC_BYTES);
    }

    /** The secret that a client shares with this replica, for the client. */
    public byte[] clientKey(long client) {
        return clients.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(client).array());
    }

    /** The seed of the key that this replica signs by, for its links. */
    public byte[] signingSeed() {
        return signingSeed.clone();
    }

    /** The public keys of all replicas, by index. */
    public List<PublicKey> publicKeys() {
        return publicKeys;
    }

    /** Appends a code for one replica. */
    byte[] seal(int peer, byte[] bytes) {
        return sealed(peers.get(peer), bytes);
    }

    static byte[] sealed(Mac mac, byte[] bytes) {
        byte[] sealed = Arrays.copyOf(bytes, bytes.length + MAC_BYTES);
        System.arraycopy(code(mac, bytes, bytes.length), 0, sealed, bytes.length, MAC_BYTES);
        return sealed;
    }

    /** Whether bytes from a replica end with the right code. */
    boolean opens(int peer, byte[] sealed) {
        return opened(peers.get(peer), sealed);
    }

    static boolean opened(Mac mac, byte[] sealed) {
        int length = sealed.length - MAC_BYTES;
        return length > 0
                && MessageDigest.isEqual(code(mac, sealed, length), Arrays.copyOfRange(sealed, length, sealed.length));
    }

    /** The codes of some bytes for all other replicas, one after the other; zeros at this one's place. */
    byte[] vector(byte[] bytes) {
        ByteBuffer vector = ByteBuffer.allocate(MAC_BYTES * peers.size());
        for (int peer = 0; peer < peers.size(); peer++) {
            vector.put(peer == self ? new byte[MAC_BYTES] : code(peers.get(peer), bytes, bytes.length));
        }
        return vector.array();
    }

    /** Whether the vector of a replica has the right code of some bytes for this one. */
    boolean inVector(int from, byte[] bytes, byte[] vector) {
        return vector.length == MAC_BYTES * peers.size()
                && MessageDigest.isEqual(
                        code(peers.get(from), bytes, bytes.length),
                        Arrays.copyOfRange(vector, MAC_BYTES * self, MAC_BYTES * (self + 1)));
    }

    byte[] sign(byte[] text) {
        return signer.sign(prefixed(text));
    }

    boolean signed(int replica, byte[] text, byte[] signature) {
        return scheme.verify(publicKeys.get(replica), prefixed(text), signature);
    }

    /** No signature for another use begins so. */
    private static byte[] prefixed(byte[] text) {
        byte[] whole = Arrays.copyOf(PREFIX, PREFIX.length + text.length);
        System.arraycopy(text, 0, whole, PREFIX.length, text.length);
        return whole;
    }
}
