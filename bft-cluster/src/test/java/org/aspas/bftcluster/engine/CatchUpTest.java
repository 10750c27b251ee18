package org.aspas.bftcluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import bftsmart.tom.server.defaultservices.DefaultApplicationState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.aspas.bftcluster.engine.CatchUp.Action;
import org.aspas.bftcluster.engine.CatchUp.Reply;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.junit.jupiter.api.Test;

/** One replica of four, of which one may lie: when it takes part, and which state it takes. */
class CatchUpTest {
    private static final int HERE = 10;
    private static final int INCARNATION = 77;

    private final CatchUp replica = new CatchUp(new Quorums(1, 1));

    private List<Action> step() {
        return replica.step(HERE, INCARNATION);
    }

    private static Reply state(String content, int leader) {
        Hash hash = Hash.sha256(content.getBytes(StandardCharsets.UTF_8));
        return new Reply(new DefaultApplicationState(), hash, 3, leader);
    }

    private void start() {
        for (int other = 1; other < 4; other++) {
            replica.onPosition(other, HERE, INCARNATION);
        }
        assertThat(step()).containsExactly(new Action.TakePart());
        replica.following();
    }

    @Test
    void oneLiarAheadHoldsUpNobody() {
        assertThat(step()).containsExactly(new Action.AskPositions());
        replica.onPosition(1, 1_000, INCARNATION);
        replica.onPosition(2, HERE, INCARNATION);
        assertThat(step()).containsExactly(new Action.AskPositions());
        replica.onPosition(3, HERE - 1, INCARNATION);
        assertThat(step()).containsExactly(new Action.TakePart());
    }

    @Test
    void afterAWhileTwoOthersAreEnoughToStart() {
        replica.onPosition(1, HERE, INCARNATION);
        replica.onPosition(2, HERE, INCARNATION);
        for (int i = 1; i < CatchUp.PATIENCE; i++) {
            assertThat(step()).containsExactly(new Action.AskPositions());
        }
        assertThat(step()).containsExactly(new Action.TakePart());
    }

    @Test
    void whatTwoSendAlikeIsTaken() {
        replica.onPosition(1, HERE + 5, INCARNATION);
        replica.onPosition(2, HERE + 9, INCARNATION);
        replica.onPosition(3, HERE + 7, INCARNATION);
        assertThat(step()).containsExactly(new Action.AskState(HERE + 7, true));
        assertThat(step()).containsExactly(new Action.AskState(HERE + 7, false));
        assertThat(replica.onState(1, HERE + 7, state("forged", 0))).isEmpty();
        assertThat(replica.onState(2, HERE + 6, state("true", 0))).isEmpty();
        assertThat(replica.onState(2, HERE + 7, state("true", 1))).isEmpty();
        assertThat(replica.onState(3, HERE + 7, state("true", 0))).isEmpty();
        Reply second = state("true", 0);
        assertThat(replica.onState(2, HERE + 7, second)).containsSame(second);
        assertThat(step()).isEmpty();
        replica.installed();
        assertThat(replica.isFollowing()).isTrue();
    }

    @Test
    void aStateThatDoesNotComeIsGivenUp() {
        start();
        assertThat(replica.onLeaderChange(HERE + 2)).containsExactly(new Action.AskState(HERE + 2, true));
        assertThat(replica.isForLeaderChange()).isTrue();
        assertThat(replica.isFollowing()).isFalse();
        for (int i = 0; i < CatchUp.MOST_TRIES; i++) {
            assertThat(step()).containsExactly(new Action.AskState(HERE + 2, false));
        }
        assertThat(step()).containsExactly(new Action.TakePart());
        assertThat(replica.isForLeaderChange()).isFalse();
    }

    @Test
    void whoStandsStillWhileTwoGoOnFetches() {
        start();
        List<Action> last = List.of();
        for (int look = 0; look < 2; look++) {
            replica.onPosition(1, HERE + 3, INCARNATION);
            replica.onPosition(2, HERE + 4, INCARNATION);
            for (int i = 0; i < CatchUp.LOOK; i++) {
                last = step();
            }
        }
        assertThat(last).isNotEmpty();
        assertThat(replica.isFollowing()).isFalse();
    }
}
