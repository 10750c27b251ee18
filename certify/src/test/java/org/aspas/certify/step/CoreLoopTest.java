package org.aspas.certify.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Persist before send, at the one place where all three shells do it. */
class CoreLoopTest {
    private sealed interface Fact {
        record Asked(int number) implements Fact {}

        record Persisted(Ticket ticket) implements Fact {}
    }

    private sealed interface Deed {
        record Write(Ticket ticket, int number) implements Deed {}

        record Answer(int number) implements Deed {}

        record Hint(int number) implements Deed {}
    }

    /** Writes down what it is asked, hints at it at once, and answers when it is durable. */
    private static final class Scribe {
        private final Outbox<Deed> outbox = new Outbox<>(deed -> 0);

        List<Deed> step(Fact fact) {
            if (fact instanceof Fact.Asked asked) {
                outbox.now(new Deed.Write(outbox.issue(), asked.number()));
                outbox.afterRecords(new Deed.Answer(asked.number()));
                outbox.now(new Deed.Hint(asked.number()));
            } else if (fact instanceof Fact.Persisted persisted) {
                outbox.persisted(persisted.ticket());
            }
            return outbox.take();
        }
    }

    /** A disk that is durable at once or later, and one effect of which, counted from 1, fails. */
    private static final class Shell {
        private final boolean atOnce;
        private final int fault;
        private int effects;
        private final List<Integer> disk = new ArrayList<>();
        private final List<Integer> answered = new ArrayList<>();
        private final List<Integer> hinted = new ArrayList<>();

        Shell(boolean atOnce, int fault) {
            this.atOnce = atOnce;
            this.fault = fault;
        }

        @Nullable
        Fact carryOut(Deed deed) {
            if (++effects == fault) {
                throw new IllegalStateException("effect " + fault);
            }
            if (deed instanceof Deed.Write write) {
                disk.add(write.number());
                return atOnce ? new Fact.Persisted(write.ticket()) : null;
            }
            if (deed instanceof Deed.Answer answer) {
                assertThat(disk).as("what is answered is on disk").contains(answer.number());
                answered.add(answer.number());
            } else if (deed instanceof Deed.Hint hint) {
                hinted.add(hint.number());
            }
            return null;
        }
    }

    @Test
    void anAnswerLeavesInTheSameTurnWhenTheDiskHasItAtOnce() {
        Shell shell = new Shell(true, 0);
        CoreLoop<Fact, Deed> loop = new CoreLoop<>(new Scribe()::step, shell::carryOut);
        loop.take(new Fact.Asked(7));
        assertThat(shell.answered).containsExactly(7);
        assertThat(shell.hinted).containsExactly(7);
    }

    @Test
    void anAnswerWaitsForTheDiskAndALaterTicketStandsForEarlierOnes() {
        Shell shell = new Shell(false, 0);
        CoreLoop<Fact, Deed> loop = new CoreLoop<>(new Scribe()::step, shell::carryOut);
        loop.take(new Fact.Asked(7));
        loop.take(new Fact.Asked(8));
        assertThat(shell.hinted).containsExactly(7, 8);
        assertThat(shell.answered).isEmpty();
        loop.take(new Fact.Persisted(new Ticket(2)));
        assertThat(shell.answered).containsExactly(7, 8);
    }

    /** The effects of one turn are, in order: write, hint, answer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void nothingLeavesBehindAnEffectThatFails(int fault) {
        Shell shell = new Shell(true, fault);
        CoreLoop<Fact, Deed> loop = new CoreLoop<>(new Scribe()::step, shell::carryOut);
        assertThatThrownBy(() -> loop.take(new Fact.Asked(7))).hasMessage("effect " + fault);
        assertThat(shell.disk).hasSize(fault > 1 ? 1 : 0);
        assertThat(shell.hinted).hasSize(fault > 2 ? 1 : 0);
        assertThat(shell.answered).isEmpty();
    }
}
