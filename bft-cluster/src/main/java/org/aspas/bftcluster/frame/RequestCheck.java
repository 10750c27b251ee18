package org.aspas.bftcluster.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Requests that bftservers give each other to order, in the library's layout. Each bftserver has client ids of its own,
 * so that none can speak in another's name; a leader could put them into a batch, and any replica into a STOP. Pure and total.
 */
public final class RequestCheck {
    /** How many client ids each bftserver has; it takes them in turn. */
    public static final int CLIENTS = 256;

    private RequestCheck() {}

    /**
     * What the library knows a request by.
     *
     * @param sequence the number within the session, from 0
     */
    public record RequestId(int client, int session, int sequence) {}

    /**
     * A bftserver's client id.
     *
     * @param turn 0 to {@link #CLIENTS} - 1
     */
    public static int client(int replica, int turn) {
        return BatchCheck.FIRST_CLIENT + replica * CLIENTS + turn;
    }

    /** Whose client id it is, by index; some number that is no index for other ids. */
    public static int owner(int client) {
        return Math.floorDiv(client - BatchCheck.FIRST_CLIENT, CLIENTS);
    }

    /** The identity of a request that this bftserver may give; empty for anything else. */
    public static Optional<RequestId> check(int peer, byte[] request, int maxBytes) {
        try {
            if (request.length > maxBytes) {
                return Optional.empty();
            }
            BatchCheck.request(ByteBuffer.wrap(request));
        } catch (MalformedFrameException malformed) {
            return Optional.empty();
        }
        RequestId id = id(request);
        return owner(id.client()) == peer ? Optional.of(id) : Optional.empty();
    }

    /** The command in a request that was judged already. */
    public static byte[] command(byte[] request) {
        return Arrays.copyOfRange(request, BatchCheck.CONTENT, request.length);
    }

    /** The identity of a request that was judged already. */
    public static RequestId id(byte[] request) {
        ByteBuffer in = ByteBuffer.wrap(request);
        return new RequestId(in.getInt(0), in.getInt(12), in.getInt(16));
    }
}
