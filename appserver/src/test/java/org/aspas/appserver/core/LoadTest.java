package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can wait comes soon on an idle machine and seldom on a busy one, and acknowledgments hold nothing up. */
class LoadTest {
    private static final int UPDATES = 100;

    private final Deployment world = new Deployment(7, client -> true, CoreLimits.USUAL);

    /** An update at each tick; then so much time that all is certified. */
    private void write(int load) {
        world.load = load;
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < UPDATES; i++) {
            increment(client);
            world.run(20);
        }
        world.run(3_000);
        for (int server = 0; server < 4; server++) {
            assertThat(world.cores.get(server).status().certified().get(0)).isEqualTo(UPDATES + 1);
        }
    }

    private static void increment(TestClient client) {
        client.update("c", "pn-counter", Operation.of("increment", Value.of(1)));
    }

    private long count(String counter) {
        return world.cores.get(0).status().counters().getOrDefault(counter, 0L);
    }

    @Test
    void anIdleServerSendsEachUpdateAtOnce() {
        write(0);
        assertThat(count("batches_sent")).isGreaterThan(3 * UPDATES * 9 / 10);
        assertThat(count("reports")).isGreaterThan(UPDATES / 4);
    }

    @Test
    void reportsComeMoreOftenWhereCertificatesTakeLongAnyway() {
        world.farMillis = 100;
        write(0);
        assertThat(count("reports")).isGreaterThan(UPDATES / 2);
    }

    @Test
    void aBusyServerReportsSeldomThoughCertificatesTakeLong() {
        world.farMillis = 100;
        write(100);
        assertThat(count("reports")).isBetween(1L, (long) UPDATES / 8);
    }

    @Test
    void reportsPauseWhereCertificatesAreQuick() {
        world.spreadMillis = 4;
        write(0);
        assertThat(count("reports")).isLessThan(UPDATES / 2);
    }

    @Test
    void aBusyServerSendsSeveralUnderOneHead() {
        write(100);
        assertThat(count("batches_sent")).isBetween(3L, 3L * UPDATES / 4);
        assertThat(count("reports")).isBetween(1L, (long) UPDATES / 8);
    }

    @Test
    void aHalfBusyServerIsInBetween() {
        write(50);
        assertThat(count("batches_sent")).isBetween(3L * UPDATES / 4, 3L * UPDATES * 2 / 3);
    }

    @Test
    void whoseAcknowledgmentsAreAwayGetsTheNextEntriesAllTheSame() {
        world.certifying = false;
        world.open = (from, to) -> !to.equals(NodeId.appserver(0));
        TestClient client = world.client(1, 0);
        client.open();
        for (int i = 0; i < 10; i++) {
            increment(client);
            world.run(20);
        }
        world.run(60);
        assertThat(world.cores.get(1).version().get(0)).isEqualTo(11);
        assertThat(count("batches_repeated")).isZero();
    }

    @Test
    void whatWasInALostBatchComesAllTheSame() {
        TestClient client = world.client(1, 0);
        client.open();
        world.run(500);
        world.certifying = false;
        world.open = (from, to) -> to.index() != 1 || from.index() != 0;
        increment(client);
        world.run(10);
        world.open = (from, to) -> from.index() == 0 || to.index() == 0;
        increment(client);
        world.run(2_000);
        assertThat(world.cores.get(1).version().get(0)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 101})
    void aLoadIsAPercentage(int load) {
        assertThatThrownBy(() -> new Event.Tick(1, load)).hasMessageContaining("outside 0..100");
    }
}
