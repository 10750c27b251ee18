package org.aspas.emulab.experiments;

import java.util.Map;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.experiments.report.LagSteps;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.experiments.report.SiteLag;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.workload.Measures;
import org.jspecify.annotations.Nullable;

/**
 * Puts what clients and servers measured of the lag beside what the distances of a world need at least.
 *
 * @param world where the run is; null without one, and then nothing stands beside it
 */
record LagInWorld(@Nullable WorldMap world, RunSettings settings) {
    private Quorums quorums() {
        return new Quorums(settings.f(), settings.b());
    }

    /** The appserver that a client begins with, for which its figures count; the same for all without a world. */
    int home(int client) {
        return world == null ? 0 : world.home(client, quorums().appservers());
    }

    /** The figures of a run of ASPAS; of another system, which tells no steps, there are none. */
    LagSteps figures(Map<LagStep, DurationFigures> steps, Measures measures) {
        return world == null || steps.isEmpty()
                ? LagSteps.of(steps)
                : new LagSteps(
                        steps,
                        SiteLag.leastMicros(world, quorums()),
                        SiteLag.of(world, quorums(), measures.sites(), settings.clients()));
    }
}
