package org.aspas.emulab.rivals.obft.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Proof;

/** How the last epochs ended, for replicas that have missed it. Not thread-safe. */
final class PastEpochs {
    /** A replica that is further behind stays behind: there is no transfer of states. */
    private static final int KEPT = 64;

    private record Past(Proof proof, List<List<SharedOperation>> operations) {}

    private final Map<Long, Past> epochs = new BoundedMap<>(KEPT);

    void put(Proof proof, List<List<SharedOperation>> operations) {
        epochs.put(proof.set().epoch(), new Past(proof, operations));
    }

    Optional<Proof> proof(long epoch) {
        return Optional.ofNullable(epochs.get(epoch)).map(Past::proof);
    }

    /** The operations of an origin in an epoch, but for its {@code after} first ones since the beginning. */
    List<SharedOperation> operations(long epoch, int origin, long after) {
        return Optional.ofNullable(epochs.get(epoch)).stream()
                .flatMap(past -> past.operations().get(origin).stream())
                .filter(operation -> operation.sequence() > after)
                .toList();
    }
}
