package org.aspas.emulab.sim.script;

import java.util.List;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Fact;

/** The clocks of all clients were 400 days ahead when they started, are right by now, and the records are lost meanwhile. */
final class ClockAhead extends Schedule {
    private static final long AHEAD = 400L * 24 * 3600 * Timeline.SECOND;

    private boolean right;
    private boolean was;
    private boolean startedAfter;

    ClockAhead() {
        super("clock-ahead");
        on(Fact.SessionRecordSent.class, fact -> {
            boolean ahead = fact.record().client().opened() >= AHEAD;
            was |= ahead;
            startedAfter |= was && !ahead;
        });
    }

    @Override
    long clockAhead() {
        return right ? 0 : AHEAD;
    }

    @Override
    void begin(SimulatedSystem system) {
        system.timeline.at(Timeline.SECOND, () -> right = true);
    }

    @Override
    List<String> missing() {
        return startedAfter ? List.of() : List.of("no client started with its clock put right");
    }
}
