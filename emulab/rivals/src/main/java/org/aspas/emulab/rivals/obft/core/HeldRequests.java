package org.aspas.emulab.rivals.obft.core;

import java.util.ArrayDeque;
import java.util.Map;
import javax.crypto.Mac;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.wire.Decoded;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Answer;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Request;
import org.jspecify.annotations.Nullable;

/** The genuine requests of clients that are not answered yet, in the order of their arrival. Not thread-safe. */
final class HeldRequests {
    private static final int MOST = 1 << 16;
    private static final int MOST_CLIENTS = 1 << 13;

    record Held(long connection, Request request) {}

    private final ObftKeys keys;
    private final ObftCodec codec;
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private final Map<Long, Mac> clients = new BoundedMap<>(MOST_CLIENTS);

    HeldRequests(ObftKeys keys, ObftCodec codec) {
        this.keys = keys;
        this.codec = codec;
    }

    /** Takes a frame; false if it is no genuine request, or too many wait. */
    boolean offer(long connection, byte[] frame) {
        return codec.unsealed(frame) instanceof Decoded.Accepted<ObftMessage> decoded
                && decoded.value() instanceof Request request
                && ObftKeys.opened(client(request), frame)
                && held.size() < MOST
                && held.add(new Held(connection, request));
    }

    private Mac client(Request request) {
        return clients.computeIfAbsent(request.client(), client -> ObftKeys.mac(keys.clientKey(client)));
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    Held next() {
        return held.remove();
    }

    Effect answer(Held to, @Nullable Value value) {
        byte[] answer = ObftCodec.encode(new Answer(to.request().number(), value));
        return new Effect.ToClient(to.connection(), ObftKeys.sealed(client(to.request()), answer));
    }
}
