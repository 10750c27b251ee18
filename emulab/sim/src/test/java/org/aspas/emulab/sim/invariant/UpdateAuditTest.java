package org.aspas.emulab.sim.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Failure;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

class UpdateAuditTest {
    private static final Fact END = new Fact.Ended(List.of(), List.of(), List.of());

    private final UpdateAudit accounts = new UpdateAudit();
    private final Monitor monitor = new Monitor(List.of(accounts), () -> 0);

    private static ClientUpdate update(long call) {
        return new ClientUpdate(0, new CallId(call), "a", "pn-counter", Operation.of("increment", Value.of(call)));
    }

    private static Request request(long number, long content) {
        return new Request(ClientId.NOBODY, number, "a", "pn-counter", Operation.of("increment", Value.of(content)));
    }

    private void submitted(long call) {
        monitor.check(new Fact.Submitted(update(call)));
    }

    private void entered(long call, long number) {
        monitor.check(new Fact.Entered(update(call), new RequestName(ClientId.NOBODY, number)));
    }

    @Test
    void whatMayTakeEffectIsLost() {
        submitted(1);
        entered(1, 1);
        monitor.check(new Fact.MayTakeEffect(update(1), new Failure.Closed()));
        monitor.check(END);
        assertThat(accounts.lost()).isEqualTo(1);
        assertThat(monitor.violations()).hasSize(1);
    }

    @Test
    void whatWasNeverSignedMayBeReportedOrForgotten() {
        submitted(1);
        submitted(2);
        monitor.check(new Fact.UpdateFailed(update(1), new Failure.Overflow("too much")));
        monitor.check(new Fact.UpdateForgotten(update(2)));
        monitor.check(END);
        assertThat(monitor.violations()).isEmpty();
        assertThat(List.of(accounts.updates(), accounts.reported(), accounts.lost(), accounts.forgotten()))
                .containsExactly(1L, 1L, 0L, 1L);
    }

    @Test
    void whatWasSignedMayNotBeReported() {
        submitted(1);
        entered(1, 1);
        monitor.check(new Fact.UpdateFailed(update(1), new Failure.Closed()));
        assertThat(monitor.violations()).hasSize(1);
    }

    @Test
    void whatLeavesIsTheContentOfItsNumberAndDurable() {
        submitted(1);
        entered(1, 1);
        monitor.check(new Fact.RequestSent(0, request(1, 1), true));
        assertThat(monitor.violations()).isEmpty();
        monitor.check(new Fact.RequestSent(0, request(1, 2), true));
        assertThat(monitor.violations()).hasSize(1);
        monitor.check(new Fact.RequestSent(0, request(1, 1), false));
        assertThat(monitor.violations()).hasSize(2);
        monitor.check(new Fact.RequestSent(0, request(2, 1), true));
        assertThat(monitor.violations()).hasSize(3);
    }
}
