package org.aspas.emulab.experiments;

import java.time.Duration;
import java.util.List;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.rivals.aspas.AspasSystem;
import org.aspas.emulab.workload.StoreSession;

/**
 * Pipelining as a treatment: the same clients, while one more client of the first appserver has many updates open at once.
 *
 * @param roundTrip what is added to its way, as to that of the others
 */
record Pipelining(int open, Duration roundTrip) implements Comparison.Treatment {
    @Override
    public Subject subject() {
        return new Subject("pipelining", String.valueOf(open), "pipelined_updates");
    }

    @Override
    public String title() {
        return "what one more client that has " + open + " updates open at once costs the others";
    }

    @Override
    public Policy policy(boolean on) {
        return Policy.STAY;
    }

    @Override
    public Comparison.Running begin(AspasSystem system) {
        Pipeline pipeline = Pipeline.begin(system.cluster(), open, roundTrip);
        return new Comparison.Running() {
            @Override
            public long count(List<StoreSession> clients) {
                return pipeline.answered();
            }

            @Override
            public void close() {
                pipeline.close();
            }
        };
    }
}
