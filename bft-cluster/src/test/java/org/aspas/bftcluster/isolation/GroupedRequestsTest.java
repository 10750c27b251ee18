package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.junit.jupiter.api.Test;

/** Requests that belong together, at replicas with the real library. */
class GroupedRequestsTest {
    private static final int TOGETHER = 5;
    private static final int GROUPS = 40;

    /** So many belong together; says how often some went to the library. */
    private static final class Fives implements Grouping {
        private final AtomicInteger went;
        private int waiting;

        Fives(AtomicInteger went) {
            this.went = went;
        }

        @Override
        public Next next(byte[] command, boolean others) {
            waiting = others ? waiting + 1 : 1;
            if (waiting < TOGETHER) {
                return Next.WAIT;
            }
            went.incrementAndGet();
            return Next.GO;
        }

        @Override
        public void late() {
            went.incrementAndGet();
        }
    }

    /** The library begins an instance with the first request that it gets, and orders the others with the next. */
    @Test
    void whatGoesTogetherIsOrderedTogether() throws Exception {
        AtomicInteger went = new AtomicInteger();
        ReplicaOptions options = new ReplicaOptions(2_000, 100, 50);
        try (IsolatedCluster cluster =
                new IsolatedCluster(options, 90_000, replica -> new Fives(replica == 0 ? went : new AtomicInteger()))) {
            cluster.startAll();
            int leader = cluster.replica(0).leader();
            int before = cluster.instance(0);
            for (int group = 0; group < GROUPS; group++) {
                cluster.order(0, group * TOGETHER, (group + 1) * TOGETHER);
            }
            assertThat(leader).isZero();
            assertThat(cluster.regency(0)).isZero();
            assertThat(cluster.instance(0) - before)
                    .as("instances")
                    .isPositive()
                    .isLessThanOrEqualTo(went.get());
        }
    }
}
