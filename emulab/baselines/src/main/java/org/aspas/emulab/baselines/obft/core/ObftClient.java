package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayDeque;
import java.util.Optional;
import javax.crypto.Mac;
import org.aspas.certify.wire.Decoded;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Answer;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Request;
import org.jspecify.annotations.Nullable;

/**
 * A client of OBFT, reconstructed: it has one replica and at most one request unanswered. While its replica synchronises no
 * answer comes, so that it stops. Not thread-safe.
 */
public final class ObftClient {
    private final long client;
    private final Mac key;
    private final ObftCodec codec;
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private @Nullable Request unanswered;
    private long numbers;
    private long rejected;

    /**
     * A client.
     *
     * @param client who it is, from 0
     * @param key the secret that it shares with its replica ({@link ObftKeys#clientKey})
     */
    public ObftClient(long client, byte[] key) {
        this.client = client;
        this.key = ObftKeys.mac(key);
        this.codec = new ObftCodec(1, 1);
    }

    /**
     * The end of a request.
     *
     * @param value the value that was read; 0 for an update; empty if the replica refused it
     */
    public record Completed(long number, Optional<Value> value) {}

    /**
     * Queues a read or an update of an object.
     *
     * @param update null to read
     * @return the request's number
     */
    public long submit(String object, String type, @Nullable Operation update) {
        numbers++;
        waiting.add(new Request(client, numbers, object, type, update));
        return numbers;
    }

    /** The frame that is to be sent now; empty while a request is unanswered, or when none waits. */
    public Optional<byte[]> next() {
        if (unanswered != null || waiting.isEmpty()) {
            return Optional.empty();
        }
        unanswered = waiting.remove();
        return Optional.of(ObftKeys.sealed(key, ObftCodec.encode(unanswered)));
    }

    /** Takes a frame of the replica. Returns what it completes; empty if it is no genuine answer to the request. */
    public Optional<Completed> received(byte[] frame) {
        if (ObftKeys.opened(key, frame)
                && codec.unsealed(frame) instanceof Decoded.Accepted<ObftMessage> decoded
                && decoded.value() instanceof Answer answer
                && unanswered != null
                && unanswered.number() == answer.number()) {
            unanswered = null;
            return Optional.of(new Completed(answer.number(), Optional.ofNullable(answer.value())));
        }
        rejected++;
        return Optional.empty();
    }

    /** How many frames were no genuine answers. */
    public long rejected() {
        return rejected;
    }
}
