package org.aspas.certify.replica;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Share;

/** One item of a replica's durable record. Its bytes are described in docs/formats.md §13. */
public sealed interface RecordItem {
    /** With which every record begins that is made with its deployment: nothing is promised yet, and nothing is forgotten. */
    RecordItem FIRST_DAY = new Taught(CertificateNumber.NONE);

    /** The bytes of the item: a byte for its kind, then its parts. */
    byte[] toBytes();

    /**
     * The record is complete from here on: it began with the deployment, or 2b+1 others taught the replica.
     *
     * @param floor up to which number this replica never accepts, commits or signs anything
     */
    record Taught(CertificateNumber floor) implements RecordItem {
        static final byte KIND = 1;

        @Override
        public byte[] toBytes() {
            return ByteBuffer.allocate(1 + Long.BYTES)
                    .put(KIND)
                    .putLong(floor.value())
                    .array();
        }
    }

    /**
     * Certification was opened after a cold start, or an epoch is about to be asked for.
     *
     * @param epoch the epoch; the next cold start goes on above the highest
     */
    record Opened(Epoch epoch) implements RecordItem {
        static final byte KIND = 2;

        @Override
        public byte[] toBytes() {
            return ByteBuffer.allocate(1 + Long.BYTES)
                    .put(KIND)
                    .putLong(epoch.value())
                    .array();
        }
    }

    /**
     * A content that this replica accepts.
     *
     * @param payload the encoded content; not to be changed
     */
    record AcceptedContent(CertificateNumber number, long attempt, byte[] payload) implements RecordItem {
        static final byte KIND = 3;

        public Hash hash() {
            return Hash.sha256(payload);
        }

        @Override
        public byte[] toBytes() {
            return ByteBuffer.allocate(1 + 2 * Long.BYTES + payload.length)
                    .put(KIND)
                    .putLong(number.value())
                    .putLong(attempt)
                    .put(payload)
                    .array();
        }
    }

    /** A content that 2b+1 replicas accepted, to which this replica commits. */
    record Locked(ProvenContent proven) implements RecordItem {
        static final byte KIND = 4;

        @Override
        public byte[] toBytes() {
            return prefixed(KIND, Codec.encode(proven));
        }
    }

    /** A content that this replica signs. */
    record SignedShare(Share share) implements RecordItem {
        static final byte KIND = 5;

        public CertificateNumber number() {
            return share.content().message().number();
        }

        public Hash hash() {
            return share.content().identity();
        }

        @Override
        public byte[] toBytes() {
            return prefixed(KIND, Codec.encode(share));
        }
    }

    /** Reads an item; empty when the bytes are none. */
    static Optional<RecordItem> read(byte[] bytes) {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte kind = in.get();
        return switch (kind) {
            case Taught.KIND ->
                single(in)
                        .filter(floor -> floor >= 0)
                        .map(CertificateNumber::new)
                        .map(Taught::new);
            case Opened.KIND ->
                single(in).filter(epoch -> epoch >= 0).map(Epoch::new).map(Opened::new);
            case AcceptedContent.KIND -> accepted(in);
            case Locked.KIND ->
                Codec.decode(rest(in), ProvenContent.class).accepted().map(Locked::new);
            case SignedShare.KIND ->
                Codec.decode(rest(in), Share.class).accepted().map(SignedShare::new);
            default -> Optional.empty();
        };
    }

    private static Optional<Long> single(ByteBuffer in) {
        return in.remaining() == Long.BYTES ? Optional.of(in.getLong()) : Optional.empty();
    }

    private static Optional<RecordItem> accepted(ByteBuffer in) {
        if (in.remaining() < 2 * Long.BYTES) {
            return Optional.empty();
        }
        AcceptedContent item = new AcceptedContent(new CertificateNumber(in.getLong()), in.getLong(), rest(in));
        return item.number().value() >= 1 && item.attempt() >= 1 ? Optional.of(item) : Optional.empty();
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }

    private static byte[] prefixed(byte kind, byte[] rest) {
        return ByteBuffer.allocate(1 + rest.length).put(kind).put(rest).array();
    }
}
