package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.appserver.core.port.ServerState;
import org.aspas.appserver.core.port.StoreState;
import org.aspas.appserver.core.port.StoredHistory;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.Refusal;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server that may have signed what it no longer holds takes no part, and follows the others. */
class AmnesiaTest {
    private static final int WHO = 1;

    private final Deployment world = new Deployment(3);

    private AppServerCore core() {
        return world.cores.get(WHO);
    }

    private void update(TestClient client, int times) {
        for (int i = 0; i < times; i++) {
            client.update("x", "pn-counter", Operation.of("increment", Value.of(1)));
            world.run(100);
        }
    }

    /** Its clients wrote, its store is gone, and a client of another server goes on. */
    private void forget() {
        TestClient before = world.client(1, WHO);
        before.open();
        world.run(100);
        update(before, 5);
        world.run(2_000);
        world.lose(WHO);
        TestClient other = world.client(2, 2);
        other.open();
        world.run(100);
        update(other, 5);
        world.run(3_000);
    }

    @Test
    void whatTheShellSaysOfTheStoreHoldsWhateverPeersSay() {
        AppServerCore lost = AppServerCore.recover(
                world.settings.get(WHO),
                StoredHistory.of(List.of()),
                new StoreState.Amnesiac("another store lies here"));
        assertThat(lost.status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(lost.status().why()).contains("another store lies here");
        assertThat(lost.status().ready()).isFalse();
        assertThat(AppServerCore.recover(world.settings.get(WHO), StoredHistory.of(List.of()), StoreState.GOOD)
                        .status()
                        .state())
                .isEqualTo(ServerState.SERVING);
    }

    @Test
    void itFollowsTheOthersAndReportsNothing() {
        forget();
        assertThat(core().status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(core().version()).isEqualTo(world.cores.get(2).version());
        assertThat(core().version().get(WHO)).as("own entries come from others").isEqualTo(6);
        assertThat(core().newestCertificate().map(Certificate::hash))
                .isEqualTo(world.cores.get(2).newestCertificate().map(Certificate::hash));
        assertThat(core().status().counters()).doesNotContainKeys("reports", "stables", "batches_sent");
        assertThat(world.cores.get(2).status().blacklist()).isEmpty();
    }

    @Test
    void itServesCertifiedReadsWithoutASessionAndNothingElse() {
        forget();
        TestClient reader = world.client(3, WHO);
        long certified = reader.read("x", "pn-counter", true, 0);
        long live = reader.read("x", "pn-counter", false, 0);
        world.run(100);
        assertThat(reader.answer(certified, false)).isPresent();
        assertThat(reader.answer(live, false)).isEmpty();
        reader.open();
        world.run(100);
        assertThat(reader.refusals())
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.AMNESIAC));
        assertThat(reader.refusals().get(0))
                .as("the refusal of the read names it")
                .matches(refusal -> refusal.read() && refusal.reference() == live);
        assertThat(core().version().get(WHO)).isEqualTo(6);
    }

    /** Its log is as long as it ever was by then, with entries of others' copies: only the record tells. */
    @Test
    void itStaysSoWhenItStartsAgain() {
        forget();
        world.crash(WHO);
        assertThat(core().status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(core().version().get(WHO)).isEqualTo(6);
    }
}
