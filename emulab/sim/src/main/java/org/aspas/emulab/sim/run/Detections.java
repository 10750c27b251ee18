package org.aspas.emulab.sim.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.Figures;

/** Who did wrong first when, and who noticed. */
final class Detections {
    private record First(long micros, long operations) {}

    private final Timeline timeline;
    private final Figures figures;
    private final Map<String, First> misdeeds = new HashMap<>();
    private final Set<String> noticed = new TreeSet<>();
    private final List<Detection> all = new ArrayList<>();

    Detections(Timeline timeline, Figures figures) {
        this.timeline = timeline;
        this.figures = figures;
    }

    /** A Byzantine party did something that a correct one would not do; whether it was the first time. */
    boolean misdeed(Object culprit) {
        return misdeeds.putIfAbsent(culprit.toString(), new First(timeline.now(), figures.submissions())) == null;
    }

    /** How many parties did wrong. */
    int misdoers() {
        return misdeeds.size();
    }

    /** Somebody correct noticed a Byzantine party. */
    void noticed(Detection.Kind kind, Object by, Object culprit, String what) {
        if (noticed.add(kind.name() + by + culprit + what)) {
            First first = misdeeds.getOrDefault(culprit.toString(), new First(timeline.now(), figures.submissions()));
            all.add(new Detection(
                    timeline.now(),
                    by.toString(),
                    culprit.toString(),
                    what,
                    kind,
                    figures.submissions() - first.operations(),
                    timeline.now() - first.micros()));
        }
    }

    List<Detection> all() {
        return List.copyOf(all);
    }
}
