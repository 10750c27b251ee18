package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server whose STABLE has a closed version and roots that do not belong together, and the right state: of one origin it names one entry
 * fewer than its root is of, or, where the closure ends before what is asked for, any root. Nothing in the STABLE itself shows it.
 */
final class LooseClosures implements ByzantineBehavior {
    private final AdversaryContext power;
    private @Nullable Stable last;
    /** What the last STABLE before the present certificate named: no less than what is certified. */
    private @Nullable VersionVector certified;

    LooseClosures(AdversaryContext power) {
        this.power = power;
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        boolean lies = frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Stable;
        exit.node(to, lies ? loose((Frame.Sealed) frame) : frame, 0);
    }

    private Frame loose(Frame.Sealed frame) {
        Stable right = (Stable) frame.signed().message();
        Stable before = last;
        if (before != null && !before.previous().equals(right.previous())) {
            certified = before.closed();
        }
        last = right;
        VersionVector closed = right.closed();
        VersionVector known = certified == null ? VersionVector.zero(closed.size()) : certified;
        List<Integer> grown = new ArrayList<>();
        List<Integer> heldBack = new ArrayList<>();
        for (int origin = 0; origin < closed.size(); origin++) {
            long size = closed.get(origin);
            if (size > known.get(origin) + 1) {
                grown.add(origin);
            }
            if (size > known.get(origin) && size < right.version().get(origin)) {
                heldBack.add(origin);
            }
        }
        if (!heldBack.isEmpty()) {
            List<Hash> roots = new ArrayList<>(right.closedRoots());
            roots.set(power.chance().pick(heldBack), Hash.of(power.chance().bytes(Hash.LENGTH)));
            return sealed(right, closed, roots);
        } else if (!grown.isEmpty()) {
            int origin = power.chance().pick(grown);
            return sealed(right, closed.with(origin, closed.get(origin) - 1), right.closedRoots());
        }
        return frame;
    }

    private Frame sealed(Stable right, VersionVector closed, List<Hash> closedRoots) {
        return new Frame.Sealed(power.sealer()
                .seal(new Stable(
                        right.server(),
                        right.epoch(),
                        right.round(),
                        right.previous(),
                        right.version(),
                        right.roots(),
                        closed,
                        closedRoots,
                        right.state())));
    }
}
