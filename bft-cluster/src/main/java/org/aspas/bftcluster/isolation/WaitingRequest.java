package org.aspas.bftcluster.isolation;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.aspas.certify.identity.Hash;

/**
 * A request and its very bytes, as an isolation layer names it to another: client, session, sequence (4 bytes each), SHA-256.
 *
 * @param content the hash of all of the request
 */
record WaitingRequest(RequestId id, Hash content) {
    static final int BYTES = 3 * Integer.BYTES + Hash.LENGTH;

    static WaitingRequest of(byte[] request) {
        return new WaitingRequest(RequestCheck.id(request), Hash.sha256(request));
    }

    /** Whose request it is; some number that is no index when it is nobody's. */
    int owner() {
        return RequestCheck.owner(id.client());
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(id.client())
                .putInt(id.session())
                .putInt(id.sequence())
                .put(content.toBytes())
                .array();
    }

    /** Empty when the bytes have another length. */
    static Optional<WaitingRequest> decode(byte[] encoded) {
        if (encoded.length != BYTES) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(encoded);
        RequestId id = new RequestId(in.getInt(), in.getInt(), in.getInt());
        byte[] content = new byte[Hash.LENGTH];
        in.get(content);
        return Optional.of(new WaitingRequest(id, Hash.of(content)));
    }
}
