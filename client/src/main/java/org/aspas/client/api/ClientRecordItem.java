package org.aspas.client.api;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;

/** What changed in a client's record: one record of its journal (docs/formats.md §14). A kind, 1 byte, and its parts. */
sealed interface ClientRecordItem {
    byte[] toBytes();

    /** An item; empty when the bytes are none. */
    static Optional<ClientRecordItem> read(byte[] bytes) {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        ByteBuffer parts = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        return switch (bytes[0]) {
            case Newest.KIND -> Newest.read(parts);
            case Opened.KIND -> Opened.read(parts);
            case Closed.KIND -> Closed.read(parts);
            default -> Optional.empty();
        };
    }

    /**
     * What every save begins with.
     *
     * @param certificate the highest certificate number verified
     */
    record Newest(CertificateNumber certificate) implements ClientRecordItem {
        static final byte KIND = 1;

        @Override
        public byte[] toBytes() {
            return ByteBuffer.allocate(1 + Long.BYTES)
                    .put(KIND)
                    .putLong(certificate.value())
                    .array();
        }

        private static Optional<ClientRecordItem> read(ByteBuffer parts) {
            return parts.remaining() == Long.BYTES
                    ? Optional.of(new Newest(new CertificateNumber(parts.getLong())))
                    : Optional.empty();
        }
    }

    /** A request is unconfirmed from now on; byte for byte as signed. */
    record Opened(Signed<ClientSigned> request) implements ClientRecordItem {
        static final byte KIND = 2;

        @Override
        public byte[] toBytes() {
            byte[] signed = Codec.encode(request);
            return ByteBuffer.allocate(1 + signed.length).put(KIND).put(signed).array();
        }

        private static Optional<ClientRecordItem> read(ByteBuffer parts) {
            byte[] bytes = new byte[parts.remaining()];
            parts.get(bytes);
            if (Codec.decodeSigned(bytes, Request.class) instanceof Decoded.Accepted<Signed<Request>> accepted) {
                Signed<Request> signed = accepted.value();
                return Optional.of(new Opened(new Signed<>(signed.message(), signed.payload(), signed.signature())));
            }
            return Optional.empty();
        }
    }

    /** The requests with these identities are not open any more. */
    record Closed(List<Hash> requests) implements ClientRecordItem {
        static final byte KIND = 3;

        static Closed of(Collection<Hash> requests) {
            return new Closed(List.copyOf(requests));
        }

        @Override
        public byte[] toBytes() {
            ByteBuffer bytes =
                    ByteBuffer.allocate(1 + requests.size() * Hash.LENGTH).put(KIND);
            requests.forEach(request -> bytes.put(request.toBytes()));
            return bytes.array();
        }

        private static Optional<ClientRecordItem> read(ByteBuffer parts) {
            if (parts.remaining() % Hash.LENGTH != 0) {
                return Optional.empty();
            }
            List<Hash> requests = new ArrayList<>();
            while (parts.hasRemaining()) {
                byte[] request = new byte[Hash.LENGTH];
                parts.get(request);
                requests.add(Hash.of(request));
            }
            return Optional.of(new Closed(requests));
        }
    }
}
