package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.aspas.bftcluster.isolation.PeerRequests.Fate;
import org.junit.jupiter.api.Test;

/** A session is heard from its beginning and without a gap, or not at all. */
class PeerRequestsTest {
    private static final int CLIENT = RequestCheck.client(1, 7);

    private final PeerRequests requests = new PeerRequests(1000);

    private Fate given(int session, int sequence, int bytes) {
        return requests.given(new RequestId(CLIENT, session, sequence), new byte[bytes], 0);
    }

    private Fate given(int session, int sequence) {
        return given(session, sequence, 1);
    }

    @Test
    void aSessionBeginsAtZeroAndGoesOnByOne() {
        assertThat(given(5, 3)).isEqualTo(Fate.OUT_OF_TURN);
        assertThat(given(5, 0)).isEqualTo(Fate.TAKEN);
        assertThat(given(5, 2)).isEqualTo(Fate.OUT_OF_TURN);
        assertThat(given(5, 1)).isEqualTo(Fate.TAKEN);
        assertThat(given(5, 1)).isEqualTo(Fate.OUT_OF_TURN);
        assertThat(given(6, 1)).isEqualTo(Fate.OUT_OF_TURN);
        assertThat(given(5, 2)).isEqualTo(Fate.TAKEN);
        assertThat(given(6, 0)).isEqualTo(Fate.TAKEN);
        assertThat(given(6, 1)).isEqualTo(Fate.TAKEN);
    }

    @Test
    void whatFoundNoRoomMayComeByAnotherWayAndTheSessionGoesOn() {
        assertThat(given(5, 0, 900)).isEqualTo(Fate.TAKEN);
        assertThat(given(5, 1, 200)).isEqualTo(Fate.NO_ROOM);
        requests.executed(new RequestId(CLIENT, 5, 0));
        assertThat(given(5, 2)).isEqualTo(Fate.OUT_OF_TURN);
        assertThat(requests.passedOn(new RequestId(CLIENT, 5, 1), new byte[200], 0))
                .isEqualTo(Fate.TAKEN);
        assertThat(given(5, 2)).isEqualTo(Fate.TAKEN);
        assertThat(requests.passedOn(new RequestId(CLIENT, 5, 1), new byte[200], 0))
                .isEqualTo(Fate.WAITING);
    }

    @Test
    void anOldRequestThatIsPassedOnDoesNotTurnTheSessionBack() {
        given(5, 0);
        given(5, 1);
        requests.executed(new RequestId(CLIENT, 5, 0));
        assertThat(requests.passedOn(new RequestId(CLIENT, 5, 0), new byte[1], 0))
                .isEqualTo(Fate.TAKEN);
        assertThat(requests.passedOn(new RequestId(CLIENT, 4, 0), new byte[1], 0))
                .isEqualTo(Fate.TAKEN);
        assertThat(given(5, 2)).isEqualTo(Fate.TAKEN);
    }

    @Test
    void whatWaitsTooLongIsForgotten() {
        given(5, 0, 600);
        assertThat(requests.expire(PeerRequests.FORGET_NANOS - 1)).isEmpty();
        assertThat(requests.waiting(new RequestId(CLIENT, 5, 0))).hasSize(600);
        assertThat(requests.expire(PeerRequests.FORGET_NANOS)).hasSize(1);
        assertThat(requests.waiting(new RequestId(CLIENT, 5, 0))).isNull();
        assertThat(given(5, 1, 600)).isEqualTo(Fate.TAKEN);
    }

    @Test
    void afterAReplicaHasJoinedSessionsBeginAgain() {
        given(5, 0);
        requests.forget();
        assertThat(given(5, 1)).isEqualTo(Fate.OUT_OF_TURN);
        assertThat(given(5, 0)).isEqualTo(Fate.TAKEN);
    }
}
