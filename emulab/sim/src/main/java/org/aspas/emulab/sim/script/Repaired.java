package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.Wire;

/**
 * A log forks, the branch that most were given is certified, and the one that was given the other branch takes it back. It
 * crashes in the middle of that, as the plan of faults says, and once more when the log is whole again.
 */
final class Repaired extends Schedule {
    /** How long the correct servers compare no heads, which would prove the fork before anything of it is certified. */
    private static final long MOST_UNSEEN = 8 * Timeline.SECOND;

    private static final long WHOLE = 2 * Timeline.SECOND;
    private static final long AWAY = 300 * Timeline.MILLI;

    private final Map<Integer, Long> takenBack = new TreeMap<>();
    private final Map<Integer, Integer> crashes = new TreeMap<>();
    private SimulatedSystem system;

    @SuppressWarnings("NullAway.Init") // The system is given before anything happens.
    Repaired() {
        super("crashes-in-a-repair");
        on(Fact.Alarmed.class, fact -> alarmed(fact.server(), fact.alarm()));
        on(Fact.Crashed.class, fact -> {
            if (takenBack.containsKey(fact.server())) {
                crashes.merge(fact.server(), 1, Integer::sum);
            }
        });
    }

    @Override
    void begin(SimulatedSystem made) {
        system = made;
        made.world.network().gate(this::keeps);
        made.timeline.at(MOST_UNSEEN, made.world.network()::release);
    }

    /** The branch is to be certified before the fork is seen. */
    @Override
    boolean idle() {
        return true;
    }

    private boolean keeps(NodeId from, NodeId to, Wire wire) {
        return from.role() == Role.APPSERVER
                && to.role() == Role.APPSERVER
                && system.participants.correct(from.index())
                && system.participants.correct(to.index())
                && wire.decoded() instanceof Decoded.Accepted<Frame> accepted
                && accepted.value() instanceof Frame.Plain plain
                && plain.message() instanceof Frontier;
    }

    private void alarmed(int server, Alarm alarm) {
        if (alarm instanceof Alarm.LogTakenBack && takenBack.putIfAbsent(server, system.timeline.now()) == null) {
            system.timeline.after(0, system.world.network()::release);
            system.timeline.after(WHOLE, () -> again(system.servers.get(server)));
        }
    }

    private void again(AppServerNode server) {
        if (server.up()) {
            server.crash();
            system.timeline.after(AWAY, () -> {
                if (!server.up()) {
                    server.start();
                }
            });
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (takenBack.isEmpty()) {
            missing.add("no correct server took a wrong branch back");
        } else if (crashes.values().stream().noneMatch(count -> count > 1)) {
            missing.add("no server crashed in a repair and after it");
        }
        return missing;
    }
}
