package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.aspas.bftcluster.frame.Vote;
import org.aspas.bftcluster.isolation.HeldVotes.Fate;
import org.aspas.bftcluster.isolation.HeldVotes.Held;
import org.junit.jupiter.api.Test;

/** A replica gets second votes only for what it has voted for itself. */
class HeldVotesTest {
    private final HeldVotes<Integer> votes = new HeldVotes<>();

    private static Vote vote(boolean second, int instance, int epoch, int value) {
        return new Vote(second, instance, epoch, ByteBuffer.wrap(new byte[] {(byte) value}));
    }

    private Fate second(int peer, int instance, int epoch, int value) {
        return votes.second(peer, vote(true, instance, epoch, value), new byte[] {(byte) peer}, 4);
    }

    @Test
    void secondVotesWaitForTheOwnFirstVote() {
        assertThat(second(1, 5, 0, 7)).isEqualTo(Fate.HELD);
        assertThat(second(2, 5, 0, 7)).isEqualTo(Fate.HELD);
        assertThat(votes.first(vote(false, 5, 0, 7), 4)).extracting(Held::peer).containsExactly(1, 2);
        assertThat(votes.first(vote(false, 5, 0, 7), 4)).isEmpty();
        assertThat(second(3, 5, 0, 7)).isEqualTo(Fate.PASS);
    }

    @Test
    void votesForAnotherValueOrEpochStayAway() {
        assertThat(votes.first(vote(false, 5, 0, 7), 4)).isEmpty();
        assertThat(second(1, 5, 0, 8)).isEqualTo(Fate.HELD);
        assertThat(second(1, 5, 1, 7)).isEqualTo(Fate.HELD);
        assertThat(second(1, 6, 0, 7)).isEqualTo(Fate.HELD);
        assertThat(votes.first(vote(false, 5, 1, 7), 4)).hasSize(1);
    }

    @Test
    void whatIsExecutedPassesAndIsForgotten() {
        assertThat(second(1, 4, 0, 7)).isEqualTo(Fate.PASS);
        assertThat(second(1, 5, 0, 7)).isEqualTo(Fate.HELD);
        assertThat(votes.first(vote(false, 5, 0, 7), 5)).isEmpty();
    }

    @Test
    void onePeerFillsOnlyItsOwnShare() {
        for (int i = 0; i < HeldVotes.MOST_HELD; i++) {
            assertThat(second(1, 5 + i, 0, 7)).isEqualTo(Fate.HELD);
        }
        assertThat(second(1, 5, 0, 8)).isEqualTo(Fate.DROPPED);
        assertThat(second(2, 5, 0, 7)).isEqualTo(Fate.HELD);
        assertThat(votes.second(1, vote(true, 9000, 0, 1), new byte[1], 8000)).isEqualTo(Fate.HELD);
    }
}
