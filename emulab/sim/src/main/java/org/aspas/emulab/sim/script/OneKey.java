package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.certify.identity.ClientId;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.node.ClientNode;

/**
 * All correct clients have one key, as processes on one machine or several ({@code docs/adr/0011}). Where records are copied, a
 * client now and then starts anew on a copy of what another one's disk holds, which goes on, too; not where an appserver may drop what
 * it acknowledged, for then nobody would have what the client's own record held.
 */
final class OneKey extends Schedule {
    private static final long FIRST_COPY = 2 * Timeline.SECOND;
    private static final long PAUSE = 700 * Timeline.MILLI;
    private static final int COPIES = 10;

    /** What a run with one key is for. */
    enum Copies {
        /** Nothing but the one key. */
        NONE,
        /** Copies of records that hold something open. */
        SHOWN,
        /** Whatever chance brings, copies too. */
        ANY
    }

    private final Copies copies;
    private final Set<ClientId> seen = new HashSet<>();
    private int copied;
    private int open;

    OneKey(String name, Copies copies) {
        super(name);
        this.copies = copies;
        on(Fact.RequestSent.class, fact -> seen.add(fact.request().client()));
    }

    @Override
    boolean oneKey() {
        return true;
    }

    @Override
    void begin(SimulatedSystem system) {
        boolean safe = copies == Copies.SHOWN || system.participants.liars().isEmpty();
        for (int i = 0; copies != Copies.NONE && safe && i < COPIES; i++) {
            int from = i % system.clients.size();
            int to = (i + 1) % system.clients.size();
            system.timeline.at(FIRST_COPY + i * PAUSE, () -> copy(system.clients.get(from), system.clients.get(to)));
        }
    }

    private void copy(ClientNode from, ClientNode to) {
        if (!to.up() || to == from) {
            return; // Something else keeps it away, and starts it later.
        }
        to.crash();
        to.disk().become(from.disk());
        to.start();
        copied++;
        open += to.unconfirmed();
    }

    @Override
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (copies == Copies.ANY) {
            return missing;
        }
        if (seen.stream().map(ClientId::key).distinct().count() != 1 || seen.size() < 2) {
            missing.add("no two clients with one key have sent anything");
        }
        if (copies == Copies.SHOWN && (copied == 0 || open == 0)) {
            missing.add("of " + copied + " copies of records none had anything open");
        }
        return missing;
    }
}
