package org.aspas.certify.identity;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** The public half of an X25519 key, 32 bytes (RFC 7748 §5). Any 32 bytes are one. Immutable; equal by content. */
public final class AgreementShare {
    /** The length in bytes. */
    public static final int LENGTH = 32;

    private final byte[] raw;

    private AgreementShare(byte[] raw) {
        this.raw = raw;
    }

    /**
     * Reads raw bytes.
     *
     * @return the share, or empty when the array is not 32 bytes long
     */
    public static Optional<AgreementShare> read(byte[] raw) {
        return raw.length == LENGTH ? Optional.of(new AgreementShare(raw.clone())) : Optional.empty();
    }

    /**
     * A share known to be well formed.
     *
     * @throws IllegalArgumentException when the array is not 32 bytes long
     */
    public static AgreementShare of(byte[] raw) {
        return read(raw).orElseThrow(() -> new IllegalArgumentException("a share has 32 bytes, not " + raw.length));
    }

    /** A copy of the 32 bytes. */
    public byte[] toBytes() {
        return raw.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AgreementShare that && Arrays.equals(raw, that.raw);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(raw);
    }

    /** The share in lower-case hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(raw);
    }
}
