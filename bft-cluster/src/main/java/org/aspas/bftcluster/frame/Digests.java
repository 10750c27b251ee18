package org.aspas.bftcluster.frame;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;

/** The library's hash and signature. */
final class Digests {
    /** What the library signs with; nothing of this project rests on it. */
    static final String SIGNATURE = "SHA1withRSA";

    private Digests() {}

    /** The library's hash of a batch or snapshot. */
    static byte[] hash(byte[] octets) {
        try {
            return MessageDigest.getInstance("MD5").digest(octets);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK lacks what the ordering library needs", impossible);
        }
    }

    static boolean signed(PublicKey key, byte[] octets, byte[] signature) {
        try {
            Signature engine = Signature.getInstance(SIGNATURE);
            engine.initVerify(key);
            engine.update(octets);
            return engine.verify(signature);
        } catch (GeneralSecurityException notASignature) {
            return false;
        }
    }
}
