package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.replica.Command;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Stable;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.ReplicaNode;
import org.jspecify.annotations.Nullable;

/**
 * Two of three correct bftservers accept a content, and nobody but the liar can prove it. After a cold start they accept and commit to
 * another one under its number, and one of them signs that and is cut off. Then the liar shows the older proof to the other one and to the
 * third, which has missed all of this: who committed may not accept the older content.
 */
final class OldProofShown extends Schedule {
    private static final long BEGINS = 2 * Timeline.SECOND;
    /** Longer than two bftservers take to accept. */
    private static final long ACCEPTING = Timeline.SECOND;

    private static final long AWAY = 400 * Timeline.MILLI;
    /** Longer than the liar takes to show its proof. */
    private static final long SHOWING = 500 * Timeline.MILLI;

    private static final long APART = 3 * Timeline.SECOND;

    private enum Stage {
        BEFORE,
        ACCEPTING,
        COLD,
        SIGNED
    }

    private Stage stage = Stage.BEFORE;
    /** The newest number that was asked for; from {@link Stage#ACCEPTING} on the one in question. */
    private CertificateNumber number = CertificateNumber.NONE;

    private Epoch answered = Epoch.NONE;
    private @Nullable CertificateContent signed;
    private int liar;
    private boolean shown;

    OldProofShown() {
        super("old proof beside a signature");
        on(Fact.Ordered.class, fact -> ordered(fact.command()));
    }

    @Override
    void begin(SimulatedSystem system) {
        liar = system.participants.lyingReplicas().iterator().next();
        system.world.network().gate((from, to, wire) -> {
            boolean lies = from.role() == Role.BFTSERVER && from.index() == liar;
            if (!lies && wire.decoded() instanceof Decoded.Accepted<Frame> accepted) {
                if (stage == Stage.BEFORE && accepted.value() instanceof Frame.Sealed sealed) {
                    asked(system, sealed.signed().message());
                } else if (stage == Stage.COLD && accepted.value() instanceof Frame.Plain plain) {
                    signed(system, from, plain.message());
                }
            }
            return false;
        });
    }

    /** The first answer to a question: its number is the next one to be certified, and nobody can have accepted anything under it yet. */
    private void asked(SimulatedSystem system, Message message) {
        if (message instanceof BftReqStable question) {
            number = CertificateNumber.max(number, question.number());
        } else if (message instanceof Stable answer && answer.epoch().isAfter(answered)) {
            answered = answer.epoch();
            if (system.timeline.now() >= BEGINS) {
                stage = Stage.ACCEPTING;
                system.timeline.after(0, () -> third(system).cutOff(true));
                system.timeline.after(ACCEPTING, () -> stop(system));
            }
        }
    }

    private void signed(SimulatedSystem system, NodeId from, Message message) {
        if (message instanceof Share share && share.content().message().number().equals(number)) {
            stage = Stage.SIGNED;
            signed = share.content().message();
            ReplicaNode signer = system.replicas.get(from.index());
            system.timeline.after(0, () -> signer.cutOff(true));
            system.timeline.after(SHOWING, () -> third(system).cutOff(false));
            system.timeline.after(SHOWING + APART, () -> signer.cutOff(false));
        }
    }

    private ReplicaNode third(SimulatedSystem system) {
        return system.replicas.get(liar == system.replicas.size() - 1 ? liar - 1 : system.replicas.size() - 1);
    }

    private void stop(SimulatedSystem system) {
        stage = Stage.COLD;
        system.replicas.forEach(ReplicaNode::crash);
        system.sequencer.beginAnew();
        system.timeline.after(AWAY, () -> system.replicas.forEach(ReplicaNode::restart));
    }

    private void ordered(Command command) {
        CertificateContent one = signed;
        Message message = command.frame().orElse(null) instanceof Frame.Sealed sealed
                ? sealed.signed().message()
                : null;
        shown |= one != null
                && message instanceof Recover statement
                && statement.replica() == liar
                && statement.proven() != null
                && statement.proven().number().equals(number)
                && !statement.proven().content().equals(one);
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (stage != Stage.SIGNED) {
            missing.add("nobody signed certificate " + number + " after the cold start");
        } else if (!shown) {
            missing.add("no older proof of another content of certificate " + number + " came into the order");
        }
        return missing;
    }
}
