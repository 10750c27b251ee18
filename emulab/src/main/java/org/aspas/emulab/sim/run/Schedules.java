package org.aspas.emulab.sim.run;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The schedules by name. */
final class Schedules {
    private static final Map<String, Supplier<Schedule>> ALL = new TreeMap<>();

    static {
        ALL.put("", Schedule.None::new);
        ALL.put("late-alias", LateAlias::new);
        ALL.put("dropped-1", () -> new AcknowledgedAndDropped(1));
        ALL.put("dropped-unbounded", () -> new AcknowledgedAndDropped(0));
        ALL.put("forked", () -> new Forked(Forked.Also.NOTHING));
        ALL.put("forked-inspected", () -> new Forked(Forked.Also.INSPECTIONS));
        ALL.put("forked-excluded", () -> new Forked(Forked.Also.WRITES_BEYOND_THE_CUT));
        ALL.put("two-signed", TwoSigned::new);
        ALL.put("all-down", AllDown::new);
        ALL.put("high-reporter", HighReporter::new);
        ALL.put("nobody-blamed", NobodyBlamed::new);
    }

    private Schedules() {}

    /**
     * A schedule for one run.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    static Schedule named(String name) {
        Supplier<Schedule> maker = ALL.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("there is no schedule '" + name + "'");
        }
        return maker.get();
    }
}
