package org.aspas.emulab.sim.adversary;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.jspecify.annotations.Nullable;

/**
 * A server whose STABLE claims less than what is certified: as the closed version and its roots it says what it said to the first
 * question, or it denies the log of an origin of which the question has nothing new.
 */
final class LowStables implements ByzantineBehavior {
    private final AdversaryContext power;
    private @Nullable Stable first;

    LowStables(AdversaryContext power) {
        this.power = power;
    }

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        if (frame instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Stable stable) {
            Stable early = first == null ? stable : first;
            first = early;
            boolean low = stable.epoch().value() % 2 == 0;
            exit.node(to, new Frame.Sealed(power.sealer().seal(low ? low(stable, early) : denying(stable))), 0);
        } else {
            exit.node(to, frame, 0);
        }
    }

    private static Stable low(Stable stable, Stable early) {
        return with(stable, stable.roots(), early.closed(), early.closedRoots());
    }

    /** The log of one origin ends before its first entry. */
    private Stable denying(Stable stable) {
        int origin = power.chance().index(stable.version().size());
        List<Hash> roots = new java.util.ArrayList<>(stable.roots());
        roots.set(origin, Hash.of(power.chance().bytes(Hash.LENGTH)));
        return with(stable, roots, stable.closed().with(origin, 0), stable.closedRoots());
    }

    private static Stable with(Stable stable, List<Hash> roots, VersionVector closed, List<Hash> closedRoots) {
        return new Stable(
                stable.server(),
                stable.epoch(),
                stable.round(),
                stable.previous(),
                stable.version(),
                roots,
                closed,
                closedRoots,
                stable.state());
    }
}
