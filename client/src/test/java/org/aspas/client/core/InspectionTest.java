package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.client.ScriptedWorld.Fault;
import org.junit.jupiter.api.Test;

/** Which answers are shown to whom, when, and what is counted. With f = 1, two of the three other servers decide. */
class InspectionTest {
    private static final long GRACE = 4_000;
    private static final Policy ALL = new Policy(true, GRACE, 20_000, 0, 1, 10_000);

    private static List<Integer> asked(Play play) {
        return play.seen(Effect.ToServer.class).stream()
                .filter(sent -> sent.frame() instanceof Frame.Sealed sealed
                        && sealed.signed().message() instanceof Inspect)
                .map(Effect.ToServer::server)
                .toList();
    }

    private static Play play(Policy policy, long seed, int updates) {
        Play play = new Play(policy, 0, seed);
        play.settle();
        for (int i = 0; i < updates; i++) {
            play.increment("a");
        }
        play.settle();
        return play;
    }

    @Test
    void twoOthersAreAskedALittleLaterAndDecide() {
        Play play = play(ALL, 1, 1);
        play.world.spread();
        assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(1, 0, 0, 0, 0, 0));
        play.pass(GRACE / 10 - Play.TICK);
        assertThat(asked(play)).as("the answer is picked, and nobody can know").isEmpty();
        play.pass(2 * Play.TICK);
        assertThat(asked(play)).hasSize(2).doesNotHaveDuplicates().doesNotContain(0);
        assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(1, 1, 0, 0, 0, 0));
        play.pass(4 * GRACE);
        assertThat(asked(play)).hasSize(2);
        assertThat(play.events(ClientEvent.Switched.class)).isEmpty();
    }

    @Test
    void whomItAsksIsDrawnByLot() {
        assertThat(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L).stream()
                        .flatMap(seed -> {
                            Play play = play(ALL, seed, 1);
                            play.world.spread();
                            play.pass(GRACE / 5);
                            return asked(play).stream();
                        })
                        .distinct())
                .containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void whereOneDoesNotAgreeTheThirdDecides() {
        for (long seed = 1; seed <= 8; seed++) {
            Play play = play(ALL, seed, 1);
            play.world.servers.get(2).faults.add(Fault.LIES_ABOUT_OTHERS);
            play.world.spread();
            play.pass(GRACE / 5);
            assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(1, 1, 0, 0, 0, 0));
            assertThat(asked(play)).hasSize(asked(play).contains(2) ? 3 : 2);
            assertThat(play.world.complaints).isEmpty();
        }
    }

    @Test
    void aWrongAnswerIsProvedThoughOneOfTheOthersIsSilent() {
        for (long seed = 1; seed <= 8; seed++) {
            Play play = new Play(ALL, 0, seed);
            play.world.servers.get(0).faults.add(Fault.WRONG_VALUE);
            play.settle();
            play.down.add(2);
            play.increment("a");
            play.settle();
            play.world.spread();
            play.pass(GRACE / 2);
            assertThat(play.world.complaints).isNotEmpty().allMatch(WrongAnswer.class::isInstance);
            assertThat(play.core.inspected().differed()).isPositive();
        }
    }

    @Test
    void whatNobodyHasInTimeIsUnknown() {
        Play play = play(ALL, 1, 1);
        play.pass(GRACE - Play.TICK);
        assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(1, 0, 0, 0, 0, 0));
        play.pass(2 * Play.TICK);
        assertThat(play.core.inspected().unknown()).isEqualTo(1);
        assertThat(play.core.inspected().judged()).isZero();
    }

    @Test
    void whatTheBudgetDoesNotCoverIsCounted() {
        Play play = play(new Policy(true, GRACE, 20_000, 0, 1, 5), 1, 9);
        play.world.spread();
        play.pass(GRACE / 2);
        assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(9, 5, 0, 0, 0, 4));
    }

    @Test
    void tooManyOpenOnesAreDroppedAndCounted() {
        Play play = play(ALL, 1, 20);
        assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(20, 0, 0, 0, 4, 0));
        assertThat(play.core.inspected().open()).isEqualTo(16);
        play.world.spread();
        play.pass(GRACE / 2);
        assertThat(play.core.inspected()).isEqualTo(new InspectionCounts(20, 16, 0, 0, 4, 0));
        assertThat(play.core.inspected().open()).isZero();
    }

    @Test
    void aShareOfTheAnswersIsPicked() {
        Play play = play(new Policy(true, GRACE, 20_000, 0, 0.2, 10_000), 1, 0);
        for (int i = 0; i < 500; i++) {
            play.increment("a");
            play.certify();
        }
        assertThat(play.core.inspected().picked()).isBetween(70L, 130L);
        assertThat(play.core.inspected().open()
                        + play.core.inspected().dropped()
                        + play.core.inspected().judged())
                .isEqualTo(play.core.inspected().picked());
    }
}
