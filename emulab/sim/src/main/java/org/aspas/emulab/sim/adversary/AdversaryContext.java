package org.aspas.emulab.sim.adversary;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
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

    /** A frame of a message, signed with the party's own key if messages of its kind are signed. */
    Frame frame(Message message) {
        return message.kind().domain().isPresent() ? new Frame.Sealed(sealer.seal(message)) : new Frame.Plain(message);
    }

    Hash anyHash() {
        return Hash.of(chance.bytes(Hash.LENGTH));
    }

    /** The other appservers. */
    List<NodeId> peers() {
        return IntStream.range(0, quorums.appservers())
                .mapToObj(NodeId::appserver)
                .filter(server -> !server.equals(self))
                .toList();
    }

    List<NodeId> bftservers() {
        return IntStream.range(0, quorums.bftservers())
                .mapToObj(NodeId::bftserver)
                .toList();
    }
}
