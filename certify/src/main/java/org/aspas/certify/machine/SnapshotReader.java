package org.aspas.certify.machine;

import java.nio.ByteBuffer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;

/** Reads what {@link SnapshotWriter} wrote. Every method throws IllegalArgumentException when the bytes do not fit. */
final class SnapshotReader {
    private final ByteBuffer bytes;
    private final int origins;

    SnapshotReader(byte[] bytes, int origins) {
        this.bytes = ByteBuffer.wrap(bytes);
        this.origins = origins;
    }

    /** A number from low to high, both included. */
    long number(long low, long high) {
        need(Long.BYTES);
        long value = bytes.getLong();
        if (value < low || value > high) {
            throw new IllegalArgumentException("snapshot: " + value + " is outside " + low + ".." + high);
        }
        return value;
    }

    /** A number from low on. */
    long number(long low) {
        return number(low, Long.MAX_VALUE);
    }

    /** A small number from low to high, both included. */
    int count(int low, int high) {
        return Math.toIntExact(number(low, high));
    }

    boolean flag() {
        need(1);
        byte value = bytes.get();
        if (value < 0 || value > 1) {
            throw new IllegalArgumentException("snapshot: a flag is " + value);
        }
        return value == 1;
    }

    Hash hash() {
        return Hash.of(take(Hash.LENGTH));
    }

    VersionVector version() {
        long[] components = new long[origins];
        for (int i = 0; i < origins; i++) {
            components[i] = number(0);
        }
        return VersionVector.of(components);
    }

    <M extends Message> M message(Class<M> type) {
        return decode(counted(), type);
    }

    <M extends Message> Signed<M> signed(Class<M> type) {
        return Codec.decodeSigned(counted(), type)
                .accepted()
                .orElseThrow(() -> new IllegalArgumentException("snapshot: no signed " + type.getSimpleName()));
    }

    static <M extends Message> M decode(byte[] payload, Class<M> type) {
        return Codec.decode(payload, type)
                .accepted()
                .orElseThrow(() -> new IllegalArgumentException("snapshot: no " + type.getSimpleName()));
    }

    byte[] counted() {
        return take(Math.toIntExact(number(0, bytes.remaining())));
    }

    void end() {
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException("snapshot: " + bytes.remaining() + " bytes too many");
        }
    }

    private byte[] take(int length) {
        need(length);
        byte[] part = new byte[length];
        bytes.get(part);
        return part;
    }

    private void need(int length) {
        if (bytes.remaining() < length) {
            throw new IllegalArgumentException("snapshot: ends too early");
        }
    }
}
