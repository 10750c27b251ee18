package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bftsmart.tom.core.TOMLayer;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.junit.jupiter.api.Test;

/** A library that takes an executed instance for a running one orders nothing until the leader changes. */
class StaleInstanceTest {
    private static final ReplicaOptions OPTIONS = new ReplicaOptions(60_000, 100, 50);

    @Test
    void anExecutedInstanceThatIsNotedAsRunningStopsNothing() throws Exception {
        try (IsolatedCluster cluster = new IsolatedCluster(OPTIONS)) {
            cluster.startAll();
            cluster.order(1, 0, 10);
            cluster.awaitEqual(10, 0, 1, 2, 3);
            for (int replica = 0; replica < IsolatedCluster.N; replica++) {
                TOMLayer layer = layer(cluster.replica(replica));
                layer.setInExec(layer.getLastExec());
            }
            for (int replica = 0; replica < IsolatedCluster.N; replica++) {
                TOMLayer layer = layer(cluster.replica(replica));
                await().atMost(Duration.ofSeconds(300)).until(() -> layer.getInExec() == -1);
            }
            cluster.order(1, 10, 20);
            cluster.awaitEqual(20, 0, 1, 2, 3);
            assertThat(cluster.regency(1)).isZero();
        }
    }

    private static TOMLayer layer(IsolatedReplica replica) throws ReflectiveOperationException {
        Object states = call(field(field(replica, "engine"), "machine"), "states");
        return (TOMLayer) call(states, "layer");
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static Object call(Object owner, String name) throws ReflectiveOperationException {
        Method method = owner.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(owner);
    }
}
