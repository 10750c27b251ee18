package org.aspas.bftcluster.frame;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** The library's hash and signature; nothing of this project rests on them. */
public final class LibraryCrypto {
    static final String SIGNATURE = "SHA1withRSA";

    private LibraryCrypto() {}

    /** The library's hash of a batch or snapshot. */
    static byte[] hash(byte[] octets) {
        try {
            return MessageDigest.getInstance("MD5").digest(octets);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK lacks what the ordering library needs", impossible);
        }
    }

    public static byte[] sign(PrivateKey key, byte[] octets) {
        try {
            Signature engine = Signature.getInstance(SIGNATURE);
            engine.initSign(key);
            engine.update(octets);
            return engine.sign();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK lacks what the ordering library needs", impossible);
        }
    }

    public static boolean isSigned(PublicKey key, byte[] octets, byte[] signature) {
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
