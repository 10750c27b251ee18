package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayList;
import java.util.List;

/** The effects of one step, in order; messages are authenticated for their receivers here. Not thread-safe. */
final class ObftOutbox {
    private final int self;
    private final int replicas;
    private final ObftKeys keys;
    private List<Effect> effects = new ArrayList<>();

    ObftOutbox(int self, int replicas, ObftKeys keys) {
        this.self = self;
        this.replicas = replicas;
        this.keys = keys;
    }

    void send(int replica, ObftMessage message) {
        effects.add(new Effect.ToReplica(replica, keys.seal(replica, ObftCodec.encode(message))));
    }

    /** Sends a message to all other replicas; it is encoded once. */
    void sendAll(ObftMessage message) {
        byte[] bytes = ObftCodec.encode(message);
        for (int replica = 0; replica < replicas; replica++) {
            if (replica != self) {
                effects.add(new Effect.ToReplica(replica, keys.seal(replica, bytes)));
            }
        }
    }

    /** Multicasts an operation, which has the codes of all receivers in it. */
    void multicast(SharedOperation operation) {
        byte[] frame = ObftCodec.encode(new ObftMessage.Operations(List.of(operation)));
        for (int replica = 0; replica < replicas; replica++) {
            if (replica != self) {
                effects.add(new Effect.ToReplica(replica, frame));
            }
        }
    }

    void repeat(int replica, List<SharedOperation> operations) {
        effects.add(new Effect.ToReplica(replica, ObftCodec.encode(new ObftMessage.Operations(operations))));
    }

    void add(Effect effect) {
        effects.add(effect);
    }

    List<Effect> drain() {
        List<Effect> drained = effects;
        effects = new ArrayList<>();
        return drained;
    }
}
