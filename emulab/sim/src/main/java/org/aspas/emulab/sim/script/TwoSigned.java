package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Share;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Two of four bftservers have signed a certificate's content, and all stop; their shares are lost. Whoever signs after the cold start
 * must sign the same content.
 */
final class TwoSigned extends Schedule {
    private static final long AWAY = 400 * Timeline.MILLI;

    private final long number;
    private final Set<Integer> signers = new TreeSet<>();
    private @Nullable Share first;
    private boolean stopped;
    private boolean same;

    TwoSigned() {
        super("two of four signed");
        this.number = 3;
        on(Fact.Adopted.class, fact -> adopted(fact.certificate()));
    }

    @Override
    void begin(SimulatedSystem system) {
        system.world.network().gate((from, to, wire) -> signed(system, from, wire));
    }

    /** Keeps back every share of the one number until two replicas have signed, and lets everything stop then. */
    private boolean signed(SimulatedSystem system, NodeId from, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)
                || !(accepted.value() instanceof Frame.Plain plain)
                || !(plain.message() instanceof Share share)
                || share.content().message().number().value() != number) {
            return false;
        }
        first = first == null ? share : first;
        if (signers.add(from.index()) && signers.size() == 2) {
            system.timeline.after(0, () -> stop(system));
        }
        return true;
    }

    private void stop(SimulatedSystem system) {
        stopped = true;
        system.world.network().lose();
        system.replicas.forEach(ReplicaNode::crash);
        system.sequencer.beginAnew();
        system.timeline.after(AWAY, () -> system.replicas.forEach(ReplicaNode::restart));
    }

    private void adopted(Certificate certificate) {
        Share signed = first;
        if (certificate.number().value() == number && signed != null) {
            same = certificate.content().equals(signed.content().message());
            if (!same) {
                violated("certificate " + number
                        + " has another content than two bftservers signed before the cold start");
            }
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (!stopped || signers.size() != 2) {
            missing.add("signed by " + signers + " before the cold start");
        }
        if (!same) {
            missing.add("certificate " + number + " was not seen after the cold start");
        }
        return missing;
    }
}
