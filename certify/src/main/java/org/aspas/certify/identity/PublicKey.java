package org.aspas.certify.identity;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** A raw Ed25519 public key, 32 bytes (RFC 8032 §5.1.5). Immutable; equal by content. */
public final class PublicKey implements Comparable<PublicKey> {
    /** The length of a raw key in bytes. */
    public static final int LENGTH = 32;

    private final byte[] raw;
    private final int hash;

    private PublicKey(byte[] raw) {
        this.raw = raw;
        this.hash = Arrays.hashCode(raw);
    }

    /**
     * Reads a raw key.
     *
     * @return the key, or empty when the array is not 32 bytes long
     */
    public static Optional<PublicKey> read(byte[] raw) {
        return raw.length == LENGTH ? Optional.of(new PublicKey(raw.clone())) : Optional.empty();
    }

    /**
     * A raw key known to be well formed.
     *
     * @throws IllegalArgumentException when the array is not 32 bytes long
     */
    public static PublicKey of(byte[] raw) {
        return read(raw)
                .orElseThrow(() -> new IllegalArgumentException("a public key has 32 bytes, not " + raw.length));
    }

    /**
     * Whether these bytes are the one encoding of a point of prime order, as of every key that RFC 8032 §5.1.5 makes. No
     * signature verifies under any other key: of keys with a part of small order, implementations of Ed25519 disagree.
     */
    public boolean isSound() {
        return Ed25519.isSound(raw);
    }

    /** A copy of the 32 bytes. */
    public byte[] toBytes() {
        return raw.clone();
    }

    @Override
    public int compareTo(PublicKey other) {
        return Arrays.compareUnsigned(raw, other.raw);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PublicKey that && Arrays.equals(raw, that.raw);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The key in lower-case hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(raw);
    }
}
