package org.aspas.emulab.experiments.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;

/**
 * Where the time from answers to confirmations goes.
 *
 * @param measured how long each step took, over all servers; empty where they do not tell
 * @param leastMicros how long it takes at least for the distances of the world, the mean over the appservers; empty without a world
 * @param sites what clients waited for at each home, against what they wait at least; empty without a world
 */
public record LagSteps(Map<LagStep, DurationFigures> measured, Map<LagStep, Long> leastMicros, List<SiteLag> sites) {
    public static final LagSteps NONE = of(Map.of());

    public static LagSteps of(Map<LagStep, DurationFigures> measured) {
        return new LagSteps(measured, Map.of(), List.of());
    }

    public LagSteps {
        measured = measured.isEmpty() ? Map.of() : new EnumMap<>(measured);
        leastMicros = leastMicros.isEmpty() ? Map.of() : new EnumMap<>(leastMicros);
        sites = List.copyOf(sites);
    }
}
