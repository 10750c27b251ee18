package org.aspas.bftcluster.frame;

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

    private static final int TRAILER = 4;
    private static final int ORDERED_REQUEST = 0;
    private static final int ONLY_VIEW = 0;

    private BatchCheck() {}

    static void batch(byte[] batch, int atMost, Membership membership) throws Malformed {
        try {
            ByteBuffer in = ByteBuffer.wrap(batch);
            in.getLong();
            Malformed.unless(in.getInt() == 0, Refusal.BATCH, "nonces");
            int count = in.getInt();
            Malformed.unless(count >= 1 && count <= atMost, Refusal.BATCH, "the number of requests");
            for (int i = 0; i < count; i++) {
                int length = in.getInt();
                Malformed.unless(length >= 0 && length <= in.remaining(), Refusal.BATCH, "a request's length");
                request(in.slice().limit(length), membership);
                in.position(in.position() + length);
            }
            Malformed.unless(in.remaining() == TRAILER && in.getInt() == 0, Refusal.BATCH, "bytes at the end");
        } catch (BufferUnderflowException tooShort) {
            throw new Malformed(Refusal.BATCH, "too short");
        }
    }

    /** One request of any member and nothing else. */
    static void request(ByteBuffer in, Membership membership) throws Malformed {
        Malformed.unless(in.remaining() <= membership.maxRequestBytes(), Refusal.REQUEST, "a long request");
        request(in.duplicate());
        Malformed.unless(
                membership.contains(RequestCheck.owner(in.getInt())), Refusal.REQUEST, "the id of no member's client");
    }

    /** One request and nothing else: sender, view, type, session, sequence, operation, reply server, content. */
    static void request(ByteBuffer in) throws Malformed {
        Malformed.unless(in.remaining() >= 8 * Integer.BYTES, Refusal.REQUEST, "too short");
        Malformed.unless(in.getInt() >= FIRST_CLIENT, Refusal.REQUEST, "no client's id");
        Malformed.unless(in.getInt() == ONLY_VIEW, Refusal.REQUEST, "another view");
        Malformed.unless(in.getInt() == ORDERED_REQUEST, Refusal.REQUEST, "another type");
        in.getInt();
        Malformed.unless(in.getInt() >= 0, Refusal.REQUEST, "a negative sequence number");
        in.getInt();
        Malformed.unless(in.getInt() == -1, Refusal.REQUEST, "a reply server");
        Malformed.unless(in.getInt() == in.remaining(), Refusal.REQUEST, "the length of its content");
    }
}
