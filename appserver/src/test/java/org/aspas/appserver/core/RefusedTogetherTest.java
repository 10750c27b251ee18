package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/**
 * Several updates that do not fit their object are on their way to a server at once. It needs a server that knows their
 * numbers from another one: else all but the first are refused as ahead of their turn.
 */
class RefusedTogetherTest {
    private static final String COUNTER = "pn-counter";
    private static final String SET = "aw-set";

    private final Deployment world = new Deployment(53);
    private final TestClient client = world.client(1, 0);

    /** The client comes to server 1 with updates that server 0 entered before it knew the type of their key. */
    private List<Signed<Request>> movedWithUnfit(int count) {
        NodeId away = NodeId.appserver(0);
        world.open = (from, to) -> !from.equals(away) && !to.equals(away);
        TestClient other = world.client(2, 1);
        other.open();
        other.update("k", COUNTER, Operation.of("increment", Value.of(1)));
        world.run(3_000);
        assertThat(other.confirmations()).isNotEmpty();
        client.open();
        List<Signed<Request>> updates = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            updates.add(client.update("k", SET, Operation.of("add", Value.of(i))));
        }
        world.run(20);
        assertThat(client.answers()).hasSize(count);
        world.open = (from, to) -> true;
        world.run(3_000);
        client.received.clear();
        client.move(1);
        world.run(20);
        return updates;
    }

    private void give(List<Signed<Request>> updates) {
        updates.forEach(client::resend);
        world.run(20);
    }

    private List<Long> refused() {
        List<Long> numbers = client.refusals().stream()
                .peek(refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.WRONG_TYPE))
                .map(Refusal::reference)
                .toList();
        client.received.removeIf(Refusal.class::isInstance);
        return numbers;
    }

    @Test
    void allAreEnteredWhenTheyComeAgain() {
        List<Signed<Request>> updates = movedWithUnfit(3);
        give(updates);
        assertThat(refused()).containsExactly(1L, 2L, 3L);
        give(updates);
        assertThat(refused()).isEmpty();
        assertThat(client.answers()).hasSize(3);
    }

    /** The record of refusals is bounded; what it has room for is entered, which makes room for the next ones. */
    @Test
    void moreThanAreRememberedAreEnteredByAndBy() {
        List<Signed<Request>> updates = movedWithUnfit(300);
        give(updates);
        assertThat(refused()).hasSize(300);
        give(updates);
        assertThat(refused()).hasSize(44).startsWith(257L);
        give(updates.subList(256, 300));
        assertThat(refused()).isEmpty();
    }

    /** A new connection begins anew, so that refusals of long ago take nobody's room. */
    @Test
    void aRefusalCountsOnItsConnection() {
        List<Signed<Request>> updates = movedWithUnfit(2);
        give(updates);
        assertThat(refused()).hasSize(2);
        client.move(1);
        give(updates);
        assertThat(refused()).hasSize(2);
        give(updates);
        assertThat(refused()).isEmpty();
    }
}
