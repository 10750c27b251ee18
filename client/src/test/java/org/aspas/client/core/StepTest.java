package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.client.core.ClientEvent.Why;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reason for which a client leaves when one step finds several. */
class StepTest {
    private final Step step = new Step(false);

    /** The client may have no budget for the doubt: a proof behind it must not be lost. */
    @ParameterizedTest
    @EnumSource(Why.class)
    void whatIsNoDoubtCountsBeforeEveryDoubt(Why why) {
        step.leave(why, "first");
        step.leave(Why.CONVICTED, "second");
        Step.Leave leave = step.takeLeave();
        assertThat(leave)
                .isEqualTo(why.doubt() ? new Step.Leave(Why.CONVICTED, "second") : new Step.Leave(why, "first"));
        assertThat(step.takeLeave()).isNull();
    }

    @Test
    void aDoubtReplacesNothing() {
        step.leave(Why.NOT_VERIFIED, "first");
        step.leave(Why.WITHHELD, "second");
        step.leave(Why.UNREACHABLE, "third");
        assertThat(step.takeLeave()).isEqualTo(new Step.Leave(Why.NOT_VERIFIED, "first"));
    }
}
