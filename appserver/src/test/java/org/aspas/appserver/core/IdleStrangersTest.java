package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Standing;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Connections without a session last as long as something is asked on them; every deployment has a fixed seed. */
class IdleStrangersTest {
    private static final String COUNTER = "pn-counter";

    private final Deployment world = new Deployment(31);

    private void waitFor(long millis) {
        world.certifying = false;
        world.run(millis);
    }

    @Test
    void whoOpensNoSessionAndAsksNothingIsEnded() {
        TestClient idle = world.client(1, 0);
        TestClient session = world.client(2, 0);
        session.open();
        waitFor(20_000);
        assertThat(world.closed).isEmpty();
        TestClient late = world.client(3, 0);
        waitFor(15_000);
        assertThat(world.closed).containsExactly(idle.connection);
        waitFor(20_000);
        assertThat(world.closed).containsExactly(idle.connection, late.connection);
        assertThat(world.cores.get(0).status().gauges()).containsEntry("connections", 1L);
        waitFor(60_000);
        assertThat(world.closed).hasSize(2);
        session.update("c", COUNTER, Operation.of("increment", Value.of(1)));
        waitFor(100);
        assertThat(session.answer(1, true)).isPresent();
    }

    @Test
    void whoAsksIsHeard() {
        TestClient reader = world.client(1, 0);
        TestClient asker = world.client(2, 0);
        for (int i = 1; i <= 6; i++) {
            reader.read("c", COUNTER, false, 0);
            asker.ask(new AskStanding(asker.id(), i, List.of()));
            waitFor(15_000);
        }
        assertThat(world.closed).isEmpty();
        assertThat(reader.answers()).hasSize(6);
        assertThat(asker.newest(Standing.class).orElseThrow().message().nonce()).isEqualTo(6);
    }

    /** A monotonic clock may count from anywhere: nobody is idle for that. */
    @Test
    void whoComesBeforeTheFirstTickIsNotIdleAtIt() {
        for (long origin : new long[] {-1L << 50, 1L << 50}) {
            AppServerCore core = new AppServerCore(world.settings.get(0));
            core.step(new Event.ClientOpened(new ConnectionId(1)));
            assertThat(core.step(new Event.Tick(origin))).noneMatch(Effect.CloseClient.class::isInstance);
            assertThat(core.step(new Event.Tick(origin + 29_999))).noneMatch(Effect.CloseClient.class::isInstance);
            assertThat(core.step(new Event.Tick(origin + 30_000))).anyMatch(Effect.CloseClient.class::isInstance);
        }
    }
}
