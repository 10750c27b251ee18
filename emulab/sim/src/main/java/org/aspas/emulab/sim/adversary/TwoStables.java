package org.aspas.emulab.sim.adversary;

import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server that gives two STABLEs with different states to one question, both signed. To the first questions it says the truth first, and
 * the lie is one word too many; to one question, and never after, it lies first and wants to be believed what it says next.
 */
final class TwoStables implements ByzantineBehavior {
    private static final int MOST_TRUE = 3;
    /** Longer than the order needs for a command. */
    private static final long LATER = 30 * Timeline.MILLI;

    private static final int TRIES = 100;

    private final AdversaryContext power;
    private int questions;
    private final int lieAt;
    private @Nullable Signed<Stable> truth;
    private @Nullable Signed<Stable> lie;

    TwoStables(AdversaryContext power) {
        this.power = power;
        this.lieAt = 1 + power.chance().index(MOST_TRUE + 1);
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        Optional<Signed<Stable>> stable = stable(frame);
        if (stable.isEmpty()) {
            exit.node(to, frame, 0);
            return;
        }
        Signed<Stable> due = stable.get();
        boolean again = truth != null && question(due.message()).equals(question(truth.message()));
        Signed<Stable> other = again && lie != null ? lie : otherState(due);
        questions += again ? 0 : 1;
        truth = due;
        lie = other;
        Frame wrong = new Frame.Sealed(other);
        boolean lies = questions == lieAt;
        if (questions <= lieAt) {
            exit.node(to, lies ? wrong : frame, 0);
            exit.node(to, lies ? frame : wrong, LATER);
        } else {
            exit.node(to, frame, 0);
        }
    }

    private static Optional<Signed<Stable>> stable(Frame frame) {
        return frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Stable stable
                ? Optional.of(new Signed<>(
                        stable, sealed.signed().payload(), sealed.signed().signature()))
                : Optional.empty();
    }

    private record Question(Epoch epoch, long round) {}

    private static Question question(Stable stable) {
        return new Question(stable.epoch(), stable.round());
    }

    /** Another state, in a frame that the same bftserver puts into the order: so the two stay in their order. */
    private Signed<Stable> otherState(Signed<Stable> due) {
        Signed<Stable> other = sealed(due.message());
        for (int i = 0; i < TRIES && submitter(other) != submitter(due); i++) {
            other = sealed(due.message());
        }
        return other;
    }

    private int submitter(Signed<Stable> signed) {
        return Math.floorMod(
                Hash.sha256(Codec.encode(signed)).hashCode(), power.quorums().bftservers());
    }

    private Signed<Stable> sealed(Stable due) {
        return power.sealer()
                .seal(new Stable(
                        due.server(),
                        due.epoch(),
                        due.round(),
                        due.previous(),
                        due.version(),
                        due.roots(),
                        due.closed(),
                        due.closedRoots(),
                        Hash.of(power.chance().bytes(Hash.LENGTH))));
    }
}
