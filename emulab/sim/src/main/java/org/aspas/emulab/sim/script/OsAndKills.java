package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.emulab.sim.invariant.Fact;

/** Appservers answer updates before their disks have them, and are killed on machines that go on: none has forgotten anything. */
final class OsAndKills extends Schedule {
    private final Set<Integer> seen = new HashSet<>();
    private int restarts;

    OsAndKills() {
        super("os-and-kills");
        on(Fact.Started.class, fact -> started(fact.server(), fact.status()));
    }

    @Override
    boolean writtenIsEnough() {
        return true;
    }

    @Override
    void begin(SimulatedSystem system) {
        // The script has the kills.
    }

    private void started(int server, CoreStatus status) {
        restarts += seen.add(server) ? 0 : 1;
        if (status.state() == ServerState.AMNESIAC) {
            violated("appserver " + server + " was killed, and believes that it forgot: " + status.why());
        }
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (restarts < 4) {
            missing.add("appservers started again " + restarts + " times");
        }
        return missing;
    }
}
