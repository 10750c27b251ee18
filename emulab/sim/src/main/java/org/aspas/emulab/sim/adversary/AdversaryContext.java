package org.aspas.emulab.sim.adversary;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Sealer;
import org.aspas.emulab.sim.engine.SeededRandom;

/**
 * What a Byzantine party has: its own key, what it shares with others that lie, chance, and the time.
 *
 * @param sealer signs with its own key
 * @param now the time in microseconds, virtual in the simulator
 * @param begun whether it attacks already; before, it is only shown what passes, and what it sends is dropped
 * @param coverage counts the fields that a party changes
 */
public record AdversaryContext(
        NodeId self,
        Sealer sealer,
        Quorums quorums,
        SeededRandom chance,
        LongSupplier now,
        BooleanSupplier begun,
        FieldCoverage coverage,
        Collusion collusion) {
    /** A party that attacks from the start. */
    public AdversaryContext(
            NodeId self,
            Sealer sealer,
            Quorums quorums,
            SeededRandom chance,
            LongSupplier now,
            FieldCoverage coverage,
            Collusion collusion) {
        this(self, sealer, quorums, chance, now, () -> true, coverage, collusion);
    }
}
