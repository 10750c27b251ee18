package org.aspas.certify.identity;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A client: one start of a program with a key, its incarnation (docs/adr/0011). The key is in it, so that whoever holds a
 * client-signed text can verify it without a registry. Who is admitted is the descriptor's affair, and goes by the key.
 *
 * <p>Numbers belong to the incarnation. So two programs with one key, or one whose record is lost or old, never give one
 * number to two updates. Immutable.
 *
 * @param key the client's Ed25519 key
 * @param opened the program's clock at its start, in microseconds since 1970, from 0; a hint for people, which decides nothing
 * @param salt 64 random bits, which make it the only one
 */
public record ClientId(PublicKey key, long opened, long salt) implements Comparable<ClientId> {
    /** The length of an encoded one in bytes: the key, then the two numbers, big-endian. */
    public static final int LENGTH = PublicKey.LENGTH + 2 * Long.BYTES;

    /** No client: whom an answer without a session is addressed to. */
    public static final ClientId NOBODY = new ClientId(PublicKey.of(new byte[PublicKey.LENGTH]));

    private static final Comparator<ClientId> ORDER = Comparator.comparing(ClientId::key)
            .thenComparingLong(ClientId::opened)
            .thenComparing(ClientId::salt, Long::compareUnsigned);

    public ClientId {
        if (opened < 0) {
            throw new IllegalArgumentException("opened is from 0: " + opened);
        }
    }

    /** The only incarnation that a key ever has, as of one that is made for a single run. */
    public ClientId(PublicKey key) {
        this(key, 0, 0);
    }

    /** Reads an encoded one; empty when the bytes are none. */
    public static Optional<ClientId> read(byte[] bytes) {
        if (bytes.length != LENGTH) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte[] raw = new byte[PublicKey.LENGTH];
        in.get(raw);
        long opened = in.getLong();
        return opened < 0 ? Optional.empty() : Optional.of(new ClientId(PublicKey.of(raw), opened, in.getLong()));
    }

    /** Its one encoding. */
    public byte[] toBytes() {
        byte[] bytes = new byte[LENGTH];
        copyTo(bytes, 0);
        return bytes;
    }

    /** Writes its encoding into an array, from index {@code to} on. */
    public void copyTo(byte[] target, int to) {
        ByteBuffer.wrap(target, to, LENGTH).put(key.toBytes()).putLong(opened).putLong(salt);
    }

    public boolean sameKey(ClientId other) {
        return key.equals(other.key);
    }

    @Override
    public int compareTo(ClientId other) {
        return ORDER.compare(this, other);
    }

    /** The first 16 hexadecimal digits of the key and 8 of the salt: enough to read, not to trust. */
    @Override
    public String toString() {
        return key.toString().substring(0, 16) + "/"
                + HexFormat.of().toHexDigits(salt).substring(0, 8);
    }
}
