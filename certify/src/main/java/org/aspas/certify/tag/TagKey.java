package org.aspas.certify.tag;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;

/** The secret that one session of a client and one appserver share, for tags of requests. Thread-safe; never printed. */
final class TagKey {
    /** The length of a tag in bytes: the first half of an HMAC-SHA256 (RFC 2104). */
    static final int LENGTH = TaggedRequest.TAG_BYTES;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] KEY_USE = "aspas/v1/tags\0".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAG_USE = "aspas/v1/request-tag\0".getBytes(StandardCharsets.US_ASCII);

    private final Mac mac;

    TagKey(byte[] secret) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has " + ALGORITHM, impossible);
        }
    }

    /**
     * The secret of a session and a server.
     *
     * @param session the hash of the signed session record ({@link Signed#identity}), which names client, share and home
     * @param server the index of the appserver, below 256
     * @return the key; empty where the other share is of small order
     */
    static Optional<TagKey> agreed(AgreementKey own, AgreementShare other, Hash deployment, Hash session, int server) {
        byte[] info = ByteBuffer.allocate(KEY_USE.length + Hash.LENGTH + 1)
                .put(KEY_USE)
                .put(session.toBytes())
                .put((byte) server)
                .array();
        return own.agree(other, deployment, info).map(TagKey::new);
    }

    void write(Signed<? extends ClientSigned> request, byte[] target, int to) {
        System.arraycopy(whole(request), 0, target, to, LENGTH);
    }

    boolean fits(Signed<? extends ClientSigned> request, byte[] tags, int from) {
        byte[] right = Arrays.copyOf(whole(request), LENGTH);
        return MessageDigest.isEqual(right, Arrays.copyOfRange(tags, from, from + LENGTH));
    }

    /** Whether there are zeros where a tag would be. */
    static boolean absent(byte[] tags, int from) {
        for (int at = from; at < from + LENGTH; at++) {
            if (tags[at] != 0) {
                return false;
            }
        }
        return true;
    }

    /** The signature is under it: whoever swapped that would make a correct server pass on what others call broken. */
    private synchronized byte[] whole(Signed<? extends ClientSigned> request) {
        mac.update(TAG_USE);
        mac.update(request.identity().toBytes());
        return mac.doFinal(request.signature());
    }

    @Override
    public String toString() {
        return "TagKey";
    }
}
