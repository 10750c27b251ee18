package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Share;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.Wire;

/**
 * All appservers stop at the moment when a bftserver first signs a new certificate, while writes are under way to their disks: what is
 * certified must be on the disks of enough of them, for it was said to be.
 */
final class AllDown extends Schedule {
    private static final int TIMES = 4;
    private static final long AWAY = 300 * Timeline.MILLI;
    private static final long PAUSE = Timeline.SECOND;

    private long newest;
    private long earliest = PAUSE;
    private int stops;

    AllDown() {
        super("all down");
    }

    @Override
    void begin(SimulatedSystem system) {
        system.world.network().gate((from, to, wire) -> {
            if (from.role() == Role.BFTSERVER && isNew(wire) && due(system)) {
                earliest = system.timeline.now() + AWAY + PAUSE;
                stops++;
                system.timeline.after(0, () -> stop(system));
            }
            return false;
        });
    }

    private boolean isNew(Wire wire) {
        if (wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Plain plain
                && plain.message() instanceof Share share
                && share.content().message().number().value() > newest) {
            newest = share.content().message().number().value();
            return true;
        }
        return false;
    }

    private boolean due(SimulatedSystem system) {
        return stops < TIMES
                && system.timeline.now() >= earliest
                && system.servers.stream().anyMatch(server -> server.disks().writing());
    }

    private static void stop(SimulatedSystem system) {
        system.servers.forEach(AppServerNode::crash);
        system.timeline.after(AWAY, () -> system.servers.forEach(AppServerNode::start));
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (stops == 0) {
            missing.add("no certificate was signed while writes were under way");
        }
        return missing;
    }
}
