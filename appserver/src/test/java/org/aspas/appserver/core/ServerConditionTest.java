package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.appserver.core.state.ServerCondition;
import org.aspas.appserver.core.state.ServerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server comes back from a repair, and from nothing worse. */
class ServerConditionTest {
    private final ServerCondition condition = new ServerCondition();

    @Test
    void aRepairEnds() {
        condition.become(ServerState.REPAIRING, "a log was taken back");
        assertThat(condition.serves()).isFalse();
        assertThat(condition.why()).isEqualTo("a log was taken back");
        condition.become(ServerState.SERVING, "it is here again");
        assertThat(condition.serves()).isTrue();
        assertThat(condition.why()).isEqualTo("it is here again");
    }

    @ParameterizedTest
    @EnumSource(
            value = ServerState.class,
            names = {"AMNESIAC", "EXCLUDED", "DIVERGED"})
    void whatLastsGivesWayToWhatIsWorseOnly(ServerState lasting) {
        condition.become(lasting, "first");
        for (ServerState next : ServerState.values()) {
            ServerCondition other = new ServerCondition();
            other.become(lasting, "first");
            other.become(next, "then");
            boolean worse = next.compareTo(lasting) > 0;
            assertThat(other.state()).isEqualTo(worse ? next : lasting);
            assertThat(other.why()).isEqualTo(worse ? "then" : "first");
        }
        assertThat(condition.serves()).isFalse();
    }

    /** What it signed and forgot is forgotten in every later state too, and also when it is found out in a worse one. */
    @Test
    void amnesiaLastsWhateverFollows() {
        condition.become(ServerState.AMNESIAC, "first");
        condition.become(ServerState.EXCLUDED, "then");
        assertThat(condition.amnesiac()).isTrue();
        condition.become(ServerState.DIVERGED, "at last");
        assertThat(condition.amnesiac()).isTrue();
        ServerCondition excluded = new ServerCondition();
        excluded.become(ServerState.EXCLUDED, "first");
        assertThat(excluded.amnesiac()).isFalse();
        excluded.become(ServerState.AMNESIAC, "then");
        assertThat(excluded.amnesiac()).isTrue();
        assertThat(excluded.state()).isEqualTo(ServerState.EXCLUDED);
    }
}
