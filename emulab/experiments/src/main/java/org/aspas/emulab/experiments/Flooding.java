package org.aspas.emulab.experiments;

import java.util.List;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.lab.attack.Flood;
import org.aspas.emulab.rivals.aspas.AspasSystem;
import org.aspas.emulab.workload.StoreSession;

/**
 * Floods as a treatment: the same clients, while clients of every {@link Flood.Kind} flood every appserver.
 *
 * @param perSecond how many frames a second each of the flooding clients would like to send
 * @param seed where their keys come from
 */
record Flooding(int perSecond, long seed) implements Comparison.Treatment {
    @Override
    public Subject subject() {
        return new Subject("floods", perSecond + "/s", "flood_frames");
    }

    @Override
    public String title() {
        return "what " + Flood.Kind.values().length + " clients at each appserver cost the others, which send "
                + perSecond + " frames/s each";
    }

    @Override
    public Policy policy(boolean on) {
        return Policy.STAY;
    }

    @Override
    public Comparison.Running begin(AspasSystem system) {
        Flood flood =
                Flood.begin(system.cluster().descriptor(), system.resources().http(), perSecond, seed);
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return flood.frames();
            }

            @Override
            public void close() {
                flood.close();
            }
        };
    }
}
