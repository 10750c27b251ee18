package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.bftcluster.isolation.PeerSession.HeldProposals;
import org.aspas.bftcluster.isolation.PeerSession.HeldProposals.Fate;
import org.junit.jupiter.api.Test;

/** The library gets its leader's proposals and nobody else's. */
class HeldProposalsTest {
    private static final int N = 4;
    private static final byte[] FRAME = {1};

    @Test
    void theLeadersPass() {
        assertThat(new HeldProposals(2, N).take(FRAME, 2)).isEqualTo(Fate.PASS);
        assertThat(new HeldProposals(2, N).take(FRAME, -1)).isEqualTo(Fate.PASS);
    }

    @Test
    void thoseOfTheNextLeaderWaitForIt() {
        HeldProposals next = new HeldProposals(0, N);
        assertThat(next.take(FRAME, 3)).isEqualTo(Fate.HELD);
        assertThat(next.ripe(3)).isEmpty();
        assertThat(next.ripe(0)).containsExactly(FRAME);
        assertThat(next.ripe(0)).isEmpty();
        for (int i = 0; i < 100; i++) {
            next.take(new byte[] {(byte) i}, 3);
        }
        assertThat(next.ripe(0)).containsExactly(new byte[] {98}, new byte[] {99});
    }

    @Test
    void othersDoNot() {
        assertThat(new HeldProposals(2, N).take(FRAME, 3)).isEqualTo(Fate.LATE);
        assertThat(new HeldProposals(1, N).take(FRAME, 3)).isEqualTo(Fate.REFUSED);
    }
}
