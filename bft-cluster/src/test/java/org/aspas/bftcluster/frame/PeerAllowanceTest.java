package org.aspas.bftcluster.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.aspas.bftcluster.frame.FrameVerdict.Accepted;
import org.aspas.bftcluster.frame.FrameVerdict.Kind;
import org.aspas.bftcluster.frame.PeerAllowance.Answer;
import org.junit.jupiter.api.Test;

/** What one peer may say again and again, and what not. */
class PeerAllowanceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_FRAME = 1 << 20;

    private final PeerAllowance allowance = new PeerAllowance(MOST_FRAME);
    private int done = 9;
    private int regency = 3;

    private Answer judge(Accepted frame, long nanos) {
        return allowance.judge(frame, new PeerAllowance.Position(done, regency), nanos);
    }

    private Answer judge(Kind kind, int number) {
        return judge(new Accepted(kind, number, 1000), 0);
    }

    private Answer write(int instance, int epoch) {
        Vote vote = new Vote(false, instance, epoch, ByteBuffer.wrap(new byte[16]));
        return judge(new Accepted(Kind.WRITE, instance, 300, vote, null), 0);
    }

    @Test
    void aStopdataAndASyncOfARegencyComeOnce() {
        for (Kind kind : new Kind[] {Kind.STOPDATA, Kind.SYNC}) {
            for (int number : new int[] {3, 4, 5}) {
                assertThat(judge(kind, number)).isEqualTo(Answer.ADMITTED);
                assertThat(judge(kind, number)).isEqualTo(Answer.REFUSED);
            }
        }
        regency = 4;
        assertThat(judge(Kind.STOPDATA, 4)).isEqualTo(Answer.REFUSED);
        assertThat(judge(Kind.STOPDATA, 5)).isEqualTo(Answer.REFUSED);
        assertThat(judge(Kind.STOPDATA, 4 + 17)).isEqualTo(Answer.REFUSED);
    }

    @Test
    void aStopIsTakenAgainOnlyAfterAWhile() {
        Accepted stop = new Accepted(Kind.STOP, 4, 1000);
        assertThat(judge(stop, 0)).isEqualTo(Answer.ADMITTED);
        for (int i = 0; i < 1000; i++) {
            assertThat(judge(stop, i)).isEqualTo(Answer.REPEATED);
        }
        assertThat(judge(stop, SECOND)).isEqualTo(Answer.ADMITTED);
        assertThat(judge(stop, SECOND + 1)).isEqualTo(Answer.REPEATED);
    }

    @Test
    void aStopAheadCountsOnceMoreWhenTheReplicaGetsThere() {
        Accepted stop = new Accepted(Kind.STOP, 5, 1000);
        assertThat(judge(stop, 0)).isEqualTo(Answer.ADMITTED);
        assertThat(judge(stop, 9 * SECOND)).isEqualTo(Answer.REPEATED);
        regency = 4;
        assertThat(judge(stop, 10 * SECOND)).isEqualTo(Answer.ADMITTED);
    }

    @Test
    void ofTheNextInstanceEachThingIsSaidAFewTimes() {
        for (int epoch = 0; epoch < 3; epoch++) {
            int admitted = 0;
            for (int i = 0; i < 1000; i++) {
                admitted += write(10, epoch) == Answer.ADMITTED ? 1 : 0;
            }
            assertThat(admitted).isEqualTo(4);
        }
        int proposals = 0;
        for (int i = 0; i < 1000; i++) {
            proposals += judge(Kind.PROPOSE, 10) == Answer.ADMITTED ? 1 : 0;
        }
        assertThat(proposals).isEqualTo(4);
        done = 10;
        assertThat(write(10, 0)).isEqualTo(Answer.ADMITTED);
        assertThat(write(11, 0)).isEqualTo(Answer.ADMITTED);
    }

    @Test
    void whatIsFarAheadIsBoundedInBytesAndTheNextInstanceHasRoomAllTheSame() {
        int admitted = 0;
        for (int i = 0; i < 100; i++) {
            admitted += judge(new Accepted(Kind.PROPOSE, 20 + i, MOST_FRAME), 0) == Answer.ADMITTED ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(32);
        assertThat(judge(new Accepted(Kind.PROPOSE, 10, MOST_FRAME), 0)).isEqualTo(Answer.ADMITTED);
        done = 200;
        assertThat(judge(new Accepted(Kind.PROPOSE, 300, MOST_FRAME), 0)).isEqualTo(Answer.ADMITTED);
    }
}
