package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What switches for doubt may cost. */
class SwitchBudgetTest {
    private static final long GRACE = 1_000;

    private final Step step = new Step(false);
    private final SwitchBudget budget = new SwitchBudget(GRACE, step);

    private void turn(boolean doubt, int resubmitted) {
        budget.turned(doubt);
        for (int i = 0; i < resubmitted; i++) {
            budget.resubmitted();
        }
    }

    /** How many milliseconds pass until the next switch is allowed. */
    private long waited(long most) {
        long began = step.now();
        while (!budget.allows() && step.now() - began < most) {
            step.advance(step.now() + GRACE / 4);
        }
        return step.now() - began;
    }

    @Test
    void theFirstSwitchesAreAllowedWhateverTheyCost() {
        assertThat(budget.allows()).isTrue();
        turn(true, 14);
        assertThat(budget.allows()).isTrue();
        turn(true, 0);
        assertThat(budget.allows()).isFalse();
    }

    @Test
    void aSwitchForProofCostsNothing() {
        turn(false, 1_000);
        assertThat(budget.allows()).isTrue();
    }

    @Test
    void anEntryIsEarnedInEachGraceTime() {
        turn(true, 25);
        assertThat(waited(1_000_000)).isBetween(11 * GRACE - GRACE, 11 * GRACE);
    }

    @Test
    void aLargeDebtIsForgotten() {
        turn(true, 1_000_000);
        assertThat(waited(1_000_000)).isBetween(16 * GRACE, 18 * GRACE);
    }

    @Test
    void answersEarnTwoAndAHalfInAHundred() {
        turn(true, 25);
        for (int i = 0; i < 400; i++) {
            assertThat(budget.allows()).as("after %d answers", i).isFalse();
            budget.answered();
        }
        budget.answered();
        assertThat(budget.allows()).isTrue();
    }

    @Test
    void whatIsNotSpentIsNotKeptForEver() {
        for (int i = 0; i < 1_000_000; i++) {
            budget.answered();
        }
        turn(true, 62);
        assertThat(budget.allows()).isTrue();
        budget.resubmitted();
        assertThat(budget.allows()).isFalse();
    }

    @Test
    void timeAloneEarnsNoMoreThanTheFirstEntries() {
        step.advance(1_000_000);
        assertThat(budget.allows()).isTrue();
        turn(true, 15);
        assertThat(budget.allows()).isFalse();
    }
}
