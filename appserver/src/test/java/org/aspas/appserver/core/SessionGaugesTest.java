package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What a server can tell of its clients' τ. */
class SessionGaugesTest {
    @Test
    void aServerKnowsHowManyOfTheUpdatesThatItEnteredAreUnconfirmed() {
        Deployment world = new Deployment(3);
        world.certifying = false;
        for (int index = 0; index < 3; index++) {
            TestClient client = world.client(index, 0);
            client.open();
            for (int update = 0; update < 4 * index; update++) {
                client.update("c", "pn-counter", Operation.of("increment", Value.of(1L)));
            }
        }
        world.run(200);
        assertThat(gauges(world))
                .containsEntry("sessions", 3L)
                .containsEntry("sessions_tau_1", 3L)
                .containsEntry("sessions_tau_bounded", 0L)
                .containsEntry("unconfirmed_p50", 4L)
                .containsEntry("unconfirmed_p99", 8L)
                .containsEntry("unconfirmed_most", 8L);

        world.certifying = true;
        world.run(5_000);
        assertThat(gauges(world)).containsEntry("sessions", 3L).containsEntry("unconfirmed_most", 0L);
    }

    @Test
    void aClientWithoutASessionHereDoesNotCount() {
        Deployment world = new Deployment(4);
        world.certifying = false;
        TestClient client = world.client(1, 0);
        client.open();
        client.update("c", "pn-counter", Operation.of("increment", Value.of(1L)));
        world.run(1_000);
        assertThat(world.cores.get(1).status().gauges())
                .containsEntry("clients", 1L)
                .containsEntry("sessions", 0L)
                .containsEntry("unconfirmed_most", 0L);
    }

    private static Map<String, Long> gauges(Deployment world) {
        return world.cores.get(0).status().gauges();
    }
}
