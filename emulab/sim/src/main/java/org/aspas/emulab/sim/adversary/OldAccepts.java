package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that keeps the ACCEPTs of others, of each content that they ever accepted, and gives none of its own words to anybody. With an ACCEPT of its own it
 * makes proofs of them, and says that its record holds them, whenever it says anything: of a content that the others gave up
 * before any of them had its proof, as it is; and of any content under a higher attempt than the others accepted it in, which its own ACCEPT
 * names where its index is below theirs.
 */
final class OldAccepts implements ReplicaConduct {
    private final AdversaryContext power;
    private final HeardAccepts heard;
    private @Nullable Recover own;

    OldAccepts(AdversaryContext power) {
        this.power = power;
        this.heard = new HeardAccepts(power);
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Wire wire = new Wire(command);
        heard.see(wire);
        Message message = BadReplica.sealed(wire);
        if (message instanceof Recover statement) {
            own = statement;
        }
        if (BadReplica.isWord(message)) {
            lie(exit);
        } else {
            exit.accept(command);
        }
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        // Its own words help nobody to a proof.
    }

    @Override
    public void heard(Wire word, BiConsumer<NodeId, Wire> exit) {
        heard.see(word);
    }

    @Override
    public void ordered(Wire command) {
        heard.see(command);
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        lie(exit);
    }

    private void lie(Consumer<byte[]> exit) {
        Recover mine = own;
        if (mine != null) {
            for (ProvenContent proof : proofs()) {
                exit.accept(Codec.encode(power.sealer().seal(HeardAccepts.holding(mine, proof))));
            }
        }
    }

    private List<ProvenContent> proofs() {
        List<ProvenContent> proofs = new ArrayList<>();
        heard.all()
                .forEach((hash, byAttempt) -> byAttempt.forEach((then, words) -> {
                    if (heard.enough(words)) {
                        if (heard.all().size() > 1) {
                            heard.proof(hash, then, words).ifPresent(proofs::add);
                        }
                        heard.proof(hash, heard.attempt() + 1, words).ifPresent(proofs::add);
                    }
                }));
        return proofs;
    }
}
