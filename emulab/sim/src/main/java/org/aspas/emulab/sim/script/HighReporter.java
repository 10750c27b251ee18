package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.Wire;

/** A server reports more of its own log than it has, and never sends a STABLE: certificates go on without it. */
final class HighReporter extends Schedule {
    private static final long FURTHER = 3;

    private long size;
    private long newest;
    private long atFirst = -1;
    private boolean stable;

    HighReporter() {
        super("high reporter");
        on(
                Fact.Adopted.class,
                fact -> newest = Math.max(newest, fact.certificate().number().value()));
    }

    @Override
    void begin(SimulatedSystem system) {
        system.world.network().gate((from, to, wire) -> {
            if (from.role() == Role.APPSERVER && !system.participants.correct(from.index())) {
                look(from, wire);
            }
            return false;
        });
    }

    private void look(NodeId liar, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)) {
            return;
        }
        if (accepted.value() instanceof Frame.Plain plain && plain.message() instanceof Batch batch) {
            size = Math.max(size, batch.head().message().size());
        } else if (accepted.value() instanceof Frame.Sealed sealed) {
            stable |= sealed.signed().message() instanceof Stable;
            if (sealed.signed().message() instanceof VertObft report
                    && report.version().get(liar.index()) > size
                    && atFirst < 0) {
                atFirst = newest;
            }
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (atFirst < 0 || newest < atFirst + FURTHER) {
            missing.add("the first high report came at certificate " + atFirst + " of " + newest);
        }
        if (stable) {
            missing.add("the liar sent a STABLE");
        }
        return missing;
    }
}
