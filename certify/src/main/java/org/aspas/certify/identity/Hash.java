package org.aspas.certify.identity;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 value (FIPS 180-4): exactly 32 bytes.
 *
 * <p>Two hashes are equal when their bytes are equal. The natural order is that of the bytes read as unsigned numbers,
 * first byte most significant. Instances are immutable and may be shared freely between threads.
 */
public final class Hash implements Comparable<Hash> {
    /** The length of a hash in bytes. */
    public static final int LENGTH = 32;

    /** The hash whose 32 bytes are all zero. No known input has this SHA-256 value. */
    public static final Hash ZERO = new Hash(new byte[LENGTH]);

    private static final ThreadLocal<MessageDigest> DIGEST = ThreadLocal.withInitial(Hash::newDigest);

    private final byte[] bytes;

    private Hash(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the hash with the given bytes.
     *
     * @param bytes exactly 32 bytes, which are copied
     * @throws IllegalArgumentException when there are not exactly 32 bytes
     */
    public static Hash of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a hash has 32 bytes, not " + bytes.length);
        }
        return new Hash(bytes.clone());
    }

    /**
     * Returns the hash whose 32 bytes stand in an array, from index {@code from} on; they are copied.
     *
     * @throws IndexOutOfBoundsException when there are not 32 bytes from there on
     */
    public static Hash of(byte[] bytes, int from) {
        Objects.checkFromIndexSize(from, LENGTH, bytes.length);
        return new Hash(Arrays.copyOfRange(bytes, from, from + LENGTH));
    }

    /** Reads a hash from bytes that came from elsewhere; empty when there are not exactly 32 of them. */
    public static Optional<Hash> read(byte[] bytes) {
        return bytes.length == LENGTH ? Optional.of(new Hash(bytes.clone())) : Optional.empty();
    }

    /**
     * Computes the SHA-256 value of the concatenation of the given parts.
     *
     * @param parts the byte strings to hash, in order; none gives the hash of the empty string
     */
    public static Hash sha256(byte[]... parts) {
        MessageDigest digest = DIGEST.get();
        digest.reset();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return new Hash(digest.digest());
    }

    /** Computes the SHA-256 value of {@code before} and the first {@code count} bytes of {@code bytes} together. */
    public static Hash sha256(byte[] before, byte[] bytes, int count) {
        MessageDigest digest = DIGEST.get();
        digest.reset();
        digest.update(before);
        digest.update(bytes, 0, count);
        return new Hash(digest.digest());
    }

    /**
     * Computes the SHA-256 value of one tag byte followed by two hashes, the step of every Merkle tree of this project.
     */
    public static Hash sha256(byte tag, Hash first, Hash second) {
        MessageDigest digest = DIGEST.get();
        digest.reset();
        digest.update(tag);
        digest.update(first.bytes);
        digest.update(second.bytes);
        return new Hash(digest.digest());
    }

    /** Returns a fresh array of the 32 bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /**
     * Writes the 32 bytes of this hash into an array, from index {@code to} on.
     *
     * @throws IndexOutOfBoundsException when there is no room for them
     */
    public void copyTo(byte[] target, int to) {
        System.arraycopy(bytes, 0, target, to, LENGTH);
    }

    /**
     * Returns a quarter of this hash, for those who keep millions of them: four numbers in an object of its own kind take half of what a
     * hash takes.
     *
     * @param index which quarter, from 0 to 3
     * @return its 8 bytes, the first one most significant
     */
    public long word(int index) {
        return ByteBuffer.wrap(bytes).getLong(index * Long.BYTES);
    }

    /** Puts a hash together again from its words, as {@link #word} gave them. */
    public static Hash ofWords(long first, long second, long third, long fourth) {
        return new Hash(ByteBuffer.allocate(LENGTH)
                .putLong(first)
                .putLong(second)
                .putLong(third)
                .putLong(fourth)
                .array());
    }

    /**
     * Returns one bit of this hash, where bit 0 is the most significant bit of the first byte.
     *
     * @throws IndexOutOfBoundsException when the position is outside 0 to 255
     */
    public boolean bit(int index) {
        return (bytes[index >> 3] & (0x80 >>> (index & 7))) != 0;
    }

    /** Feeds the 32 bytes of this hash to a digest in progress. */
    public void update(MessageDigest digest) {
        digest.update(bytes);
    }

    @Override
    public int compareTo(Hash other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Hash that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(bytes).getInt();
    }

    /** Returns the bytes as 64 lower-case hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform is required to provide SHA-256", e);
        }
    }
}
