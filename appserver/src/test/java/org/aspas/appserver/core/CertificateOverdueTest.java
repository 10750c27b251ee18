package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** For how long something has waited without any certificate, as every server tells it. */
class CertificateOverdueTest {
    private static final int SERVERS = 4;

    private final Deployment world = new Deployment(11);

    private long overdue(int server) {
        return world.cores.get(server).status().gauges().get("certificate_overdue_millis");
    }

    private static void increment(TestClient client) {
        client.update("c", "pn-counter", Operation.of("increment", Value.of(1L)));
    }

    @Test
    void nothingIsOverdueWhileNothingWaits() {
        TestClient client = world.client(1, 0);
        client.open();
        increment(client);
        world.run(5_000);
        world.run(60_000);
        for (int server = 0; server < SERVERS; server++) {
            assertThat(overdue(server)).as("server %d", server).isZero();
        }
        increment(client);
        world.run(300);
        assertThat(overdue(0))
                .as("counted from the entry, not from the last certificate")
                .isLessThan(1_000);
    }

    @Test
    void everyServerThatHoldsAnEntryCountsUntilACertificateComes() {
        TestClient client = world.client(1, 0);
        client.open();
        world.run(5_000);
        world.certifying = false;
        increment(client);
        world.run(20_000);
        for (int server = 0; server < SERVERS; server++) {
            assertThat(overdue(server)).as("server %d", server).isBetween(19_000L, 20_000L);
        }
        world.certifying = true;
        world.run(10_000);
        for (int server = 0; server < SERVERS; server++) {
            assertThat(overdue(server)).as("server %d", server).isZero();
        }
    }
}
