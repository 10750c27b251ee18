package org.aspas.emulab.sim.script;

import java.util.List;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.Wire;

/** A liar among those that give a late appserver the certified state: it is noticed by its first wrong part, and others give the rest. */
final class SnapshotForged extends Schedule {
    private SimulatedSystem system;
    private boolean noticed;

    @SuppressWarnings("NullAway.Init") // The system is given before anything happens.
    SnapshotForged() {
        super("forged-snapshots");
        on(Fact.Alarmed.class, fact -> alarmed(fact.alarm()));
        on(Fact.AtRest.class, fact -> noneGivenUp());
    }

    /** Who is late hears of snapshots from the liar alone, until it has noticed. */
    @Override
    void begin(SimulatedSystem made) {
        system = made;
        made.world.network().gate(this::keeps);
    }

    private boolean keeps(NodeId from, NodeId to, Wire wire) {
        return from.role() == Role.APPSERVER
                && system.participants.correct(from.index())
                && wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Plain plain
                && plain.message() instanceof SnapshotHead;
    }

    private void alarmed(Alarm alarm) {
        if (alarm instanceof Alarm.ForgedSnapshot forged && !system.participants.correct(forged.server())) {
            noticed = true;
            system.timeline.after(0, system.world.network()::release);
        }
    }

    private static long count(AppServerNode server, String counter) {
        return server.core()
                .map(AppServerCore::status)
                .map(status -> status.counters().getOrDefault(counter, 0L))
                .orElse(0L);
    }

    private List<AppServerNode> correct() {
        return system.servers.stream().filter(AppServerNode::correct).toList();
    }

    /** Nothing that a peer sends may bring a server where it has to give a whole snapshot up. */
    private void noneGivenUp() {
        for (AppServerNode server : correct()) {
            if (count(server, "snapshots_wrong") > 0) {
                violated(server.id() + " took all parts, and they are not the certified state");
            }
        }
    }

    @Override
    List<String> missing() {
        if (!noticed) {
            return List.of("nobody was given a wrong part of a snapshot, or nobody noticed");
        }
        boolean installed = correct().stream().anyMatch(server -> count(server, "snapshots_installed") > 0);
        return installed ? List.of() : List.of("no snapshot was installed");
    }
}
