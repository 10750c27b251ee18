package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Checks requests and batches of them as the library lays them out. A batch is: time (8 bytes), number of nonces (4, here
 * always 0), number of requests (4), each request with its length (4) before it, and four zero bytes that the library
 * leaves at the end. The library reads a batch leniently: it does not look at what follows the last request, a request
 * that does not parse is a null that it later trips over, and a batch without requests loses decisions.
 */
final class BatchCheck {
    /** The clients' ids in use begin here, far from the replicas' own. */
    static final int FIRST_CLIENT = 1 << 24;

    /** Where the content of a request begins, after its length. */
    static final int CONTENT = 8 * Integer.BYTES;

    private static final int TRAILER = 4;
    private static final int ORDERED_REQUEST = 0;
    private static final int ONLY_VIEW = 0;

    private BatchCheck() {}

    static void batch(byte[] batch, int atMost, ReplicaGroup membership) throws MalformedFrameException {
        try {
            ByteBuffer in = ByteBuffer.wrap(batch);
            in.getLong();
            require(in.getInt() == 0, RefusalReason.BATCH, "nonces");
            int count = in.getInt();
            require(count >= 1 && count <= atMost, RefusalReason.BATCH, "the number of requests");
            for (int i = 0; i < count; i++) {
                int length = in.getInt();
                require(length >= 0 && length <= in.remaining(), RefusalReason.BATCH, "a request's length");
                request(in.slice().limit(length), membership);
                in.position(in.position() + length);
            }
            require(in.remaining() == TRAILER && in.getInt() == 0, RefusalReason.BATCH, "bytes at the end");
        } catch (BufferUnderflowException tooShort) {
            throw new MalformedFrameException(RefusalReason.BATCH, "too short");
        }
    }

    /** One request of any member and nothing else. */
    static void request(ByteBuffer in, ReplicaGroup membership) throws MalformedFrameException {
        require(in.remaining() <= membership.maxRequestBytes(), RefusalReason.REQUEST, "a long request");
        request(in.duplicate());
        require(
                membership.contains(RequestCheck.owner(in.getInt())),
                RefusalReason.REQUEST,
                "the id of no member's client");
    }

    /** One request and nothing else: sender, view, type, session, sequence, operation, reply server, content. */
    static void request(ByteBuffer in) throws MalformedFrameException {
        require(in.remaining() >= CONTENT, RefusalReason.REQUEST, "too short");
        require(in.getInt() >= FIRST_CLIENT, RefusalReason.REQUEST, "no client's id");
        require(in.getInt() == ONLY_VIEW, RefusalReason.REQUEST, "another view");
        require(in.getInt() == ORDERED_REQUEST, RefusalReason.REQUEST, "another type");
        in.getInt();
        require(in.getInt() >= 0, RefusalReason.REQUEST, "a negative sequence number");
        in.getInt();
        require(in.getInt() == -1, RefusalReason.REQUEST, "a reply server");
        require(in.getInt() == in.remaining(), RefusalReason.REQUEST, "the length of its content");
    }
}
