package org.aspas.emulab.sim.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 (FIPS 180-4) of parts that are joined, as docs/formats.md writes it. */
final class Sha256 {
    static final byte[] ZERO = new byte[32];

    private Sha256() {}

    static byte[] of(byte[]... parts) {
        MessageDigest digest = digest();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** The hash of a tag byte and parts. */
    static byte[] tagged(int tag, byte[]... parts) {
        MessageDigest digest = digest();
        digest.update((byte) tag);
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** The hash of a name of the deployment's formats, a zero byte, and parts. */
    static byte[] named(String name, byte[]... parts) {
        MessageDigest digest = digest();
        digest.update(("aspas/v1/" + name).getBytes(StandardCharsets.US_ASCII));
        digest.update((byte) 0);
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform is required to provide SHA-256", e);
        }
    }
}
