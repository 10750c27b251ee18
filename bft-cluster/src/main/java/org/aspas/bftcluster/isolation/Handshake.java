package org.aspas.bftcluster.isolation;

import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Arrays;
import org.aspas.bftcluster.engine.LibraryConfiguration;
import org.aspas.bftcluster.frame.LibraryCrypto;

/**
 * The bytes with which a library introduces itself to another: its Diffie-Hellman value and its RSA signature of that,
 * each after its 4-byte length. Both are functions of its RSA key alone, so an isolation layer can say them for its library, and
 * can know in advance what a peer's library will say.
 */
final class Handshake {
    static final int MAX_BYTES = 4096;

    private Handshake() {}

    static byte[] of(KeyPair own) {
        byte[] value = LibraryConfiguration.GROUP_GENERATOR
                .modPow(new BigInteger(own.getPrivate().getEncoded()), LibraryConfiguration.GROUP_PRIME)
                .toByteArray();
        byte[] signature = LibraryCrypto.sign(own.getPrivate(), value);
        return ByteBuffer.allocate(2 * Integer.BYTES + value.length + signature.length)
                .putInt(value.length)
                .put(value)
                .putInt(signature.length)
                .put(signature)
                .array();
    }

    /** Whether these bytes are the handshake of the replica with this key: whole, in the group, and signed. */
    static boolean isOf(PublicKey key, byte[] handshake) {
        if (handshake.length > MAX_BYTES) {
            return false;
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(handshake);
            byte[] value = part(in);
            byte[] signature = part(in);
            BigInteger element = value.length == 0 ? BigInteger.ZERO : new BigInteger(value);
            boolean inGroup = element.compareTo(BigInteger.ONE) > 0
                    && element.compareTo(LibraryConfiguration.GROUP_PRIME.subtract(BigInteger.ONE)) < 0
                    && Arrays.equals(element.toByteArray(), value);
            return inGroup && !in.hasRemaining() && LibraryCrypto.isSigned(key, value, signature);
        } catch (BufferUnderflowException tooShort) {
            return false;
        }
    }

    private static byte[] part(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] result = new byte[length];
        in.get(result);
        return result;
    }
}
