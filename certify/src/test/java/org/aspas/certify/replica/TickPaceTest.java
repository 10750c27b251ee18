package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.replica.BftServerCore.TickPace;
import org.junit.jupiter.api.Test;

/** Votes for ordered time: never early, no more than needed, and never stuck while b+1 replicas vote. */
class TickPaceTest {
    private static final int STEP = 100;
    private static final Quorums QUORUMS = new Quorums(1, 1);

    /** Four replicas whose votes arrive at once; time passes with b+1 of them, as the machine counts. */
    private static final class Votes {
        final List<TickPace> paces = new ArrayList<>();
        final List<Integer> voters = new ArrayList<>();
        final List<Long> stepsAt = new ArrayList<>();
        int votes;
        long tick;

        Votes(int... alive) {
            for (int replica : alive) {
                paces.add(new TickPace(replica, QUORUMS, STEP));
            }
        }

        void run(long from, long millis, boolean wanted) {
            for (long now = from; now < from + millis; now += 20) {
                for (TickPace pace : paces) {
                    if (pace.due(tick, wanted, now)) {
                        votes++;
                        voters.add(paces.indexOf(pace));
                    }
                }
                if (voters.stream().distinct().count() >= QUORUMS.oneCorrectBftserver()) {
                    tick++;
                    voters.clear();
                    stepsAt.add(now);
                }
            }
        }
    }

    @Test
    void aStepTakesItsLengthAndTwoVotes() {
        Votes votes = new Votes(0, 1, 2, 3);
        votes.run(0, 2_050, true);
        assertThat(votes.tick).isBetween(16L, 20L);
        assertThat(votes.votes).isEqualTo((int) votes.tick * 2);
        for (int i = 1; i < votes.stepsAt.size(); i++) {
            assertThat(votes.stepsAt.get(i) - votes.stepsAt.get(i - 1)).isGreaterThanOrEqualTo(STEP);
        }
    }

    @Test
    void timePassesWithoutBReplicas() {
        for (int silent = 0; silent < 4; silent++) {
            int missing = silent;
            int[] alive = java.util.stream.IntStream.range(0, 4)
                    .filter(replica -> replica != missing)
                    .toArray();
            Votes votes = new Votes(alive);
            votes.run(0, 3_000, true);
            assertThat(votes.tick).as("without replica %d", silent).isGreaterThanOrEqualTo(16);
        }
    }

    @Test
    void aLoneVoterDoesNotRepeatItselfSoon() {
        Votes votes = new Votes(2);
        votes.run(0, 1_900, true);
        assertThat(votes.tick).isZero();
        assertThat(votes.votes).isEqualTo(1);
        votes.run(1_900, 2_000, true);
        assertThat(votes.votes).isEqualTo(2);
    }

    @Test
    void votesAreSeldomWhileNothingWaitsAndThenAFullStepAway() {
        Votes votes = new Votes(0, 1, 2, 3);
        votes.run(0, 5_000, false);
        assertThat(votes.tick).isBetween(4L, 5L);
        long idle = votes.tick;
        votes.run(5_000, 90, true);
        assertThat(votes.tick).isEqualTo(idle);
        votes.run(5_090, 60, true);
        assertThat(votes.tick).isEqualTo(idle + 1);
    }
}
