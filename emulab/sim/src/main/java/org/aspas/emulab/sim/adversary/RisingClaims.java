package org.aspas.emulab.sim.adversary;

import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Recover;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that says, as often as it can, that its record holds a higher epoch than the one that runs: who believed it would leave each
 * epoch before its question is answered.
 */
final class RisingClaims implements ReplicaConduct {
    private final AdversaryContext power;
    private @Nullable Recover own;
    private Epoch running = Epoch.NONE;

    RisingClaims(AdversaryContext power) {
        this.power = power;
    }

    @Override
    public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
        if (BadReplica.sealed(wire) instanceof BftReqStable question) {
            running = Epoch.max(running, question.epoch());
        }
        exit.accept(wire);
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        if (BadReplica.sealed(new Wire(command)) instanceof Recover statement) {
            own = statement;
        }
        claim(exit);
        exit.accept(command);
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        claim(exit);
    }

    private void claim(Consumer<byte[]> exit) {
        Recover mine = own;
        if (mine != null) {
            Recover lie = new Recover(
                    mine.replica(),
                    mine.start(),
                    Hash.ZERO,
                    mine.knowing(),
                    running.next(),
                    mine.number(),
                    mine.attempt(),
                    mine.proven());
            exit.accept(Codec.encode(power.sealer().seal(lie)));
        }
    }
}
