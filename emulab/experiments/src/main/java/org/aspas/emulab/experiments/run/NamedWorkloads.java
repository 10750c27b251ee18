package org.aspas.emulab.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.emulab.workload.FeedWorkload;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.WorkloadDefinition;
import org.aspas.emulab.workload.WorkloadMix;
import org.aspas.emulab.workload.YcsbWorkload;

/** The workloads that experiments can name. */
public final class NamedWorkloads {
    private static final int FEED_POSTS = 1000;

    private NamedWorkloads() {}

    public static List<WorkloadDefinition> all() {
        List<WorkloadDefinition> all = new ArrayList<>();
        for (ObjectKind kind : ObjectKind.values()) {
            for (WorkloadMix mix : WorkloadMix.values()) {
                if (mix != WorkloadMix.FEED) {
                    all.add(YcsbWorkload.of(mix, kind));
                }
            }
        }
        for (int commentBytes : List.of(128, 4096)) {
            all.add(new FeedWorkload(FEED_POSTS, commentBytes));
        }
        return all;
    }

    static Optional<WorkloadDefinition> named(String label) {
        return all().stream().filter(one -> one.label().equals(label)).findFirst();
    }
}
