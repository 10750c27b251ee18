package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Commit;
import org.aspas.certify.message.Epoch;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.Tick;
import org.aspas.certify.message.VertObft;
import org.aspas.certify.quorum.Quorums;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** One liar among four appservers, and one among four bftservers. */
class GatheringTest {
    private static final Sealer SEALER = new Sealer(SigningKey.of(new byte[32]), Hash.ZERO);
    private static final List<Hash> ROOTS = List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO);

    private final Gathering gathering = new Gathering(new Quorums(1, 1));
    private boolean others;

    private boolean waits(Message message) {
        return waits(Codec.encode(SEALER.seal(message)));
    }

    private boolean waits(byte[] command) {
        others = gathering.waits(command, others);
        return others;
    }

    private static Message stable(int server, long round) {
        return new Stable(
                server,
                new Epoch(1),
                round,
                Hash.ZERO,
                VersionVector.zero(4),
                ROOTS,
                VersionVector.zero(4),
                ROOTS,
                Hash.ZERO);
    }

    private static Message report(int server) {
        return new VertObft(server, VersionVector.zero(4), List.of());
    }

    private static Message accept(int replica) {
        return new Accept(replica, new CertificateNumber(1), 1, Hash.ZERO);
    }

    private static Message commit(int replica) {
        return new Commit(replica, new CertificateNumber(1), 1, Hash.ZERO);
    }

    @Test
    void answersWaitForAQuorumOfAppservers() {
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(3, 1))).isTrue();
        assertThat(waits(stable(2, 1))).isFalse();
    }

    /** The order that it would begin would still be under way when the words are there. */
    @Test
    void whateverComesBetweenAnswersAndWordsGoesWithTheWords() {
        assertThat(waits(report(0))).as("no question").isFalse();
        waits(stable(0, 1));
        waits(stable(1, 1));
        assertThat(waits(stable(2, 1))).isFalse();
        assertThat(waits(stable(3, 1))).as("more than enough").isTrue();
        assertThat(waits(report(1))).isTrue();
        assertThat(waits(new Tick(0, 1))).isTrue();
        assertThat(waits(accept(0))).isTrue();
        assertThat(waits(report(2))).isTrue();
        assertThat(waits(commit(0))).isTrue();
        assertThat(waits(commit(1))).isTrue();
        assertThat(waits(commit(2))).isFalse();
        assertThat(waits(commit(3))).as("more than enough").isFalse();
        assertThat(waits(report(3))).isFalse();
    }

    @Test
    void whatWaitedInVainForWordsWaitsNoMore() {
        for (int server = 0; server < 3; server++) {
            waits(stable(server, 1));
        }
        assertThat(waits(report(0))).isTrue();
        gathering.late();
        others = false;
        for (int later = 0; later < 40; later++) {
            assertThat(waits(report(1))).isFalse();
        }
    }

    @Test
    void nobodyCountsTwice() {
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(1, 1))).isTrue();
        assertThat(waits(stable(2, 1))).isFalse();
    }

    @Test
    void answersToAnotherQuestionAreCountedApart() {
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(1, 2))).isTrue();
        assertThat(waits(stable(2, 2))).isTrue();
        assertThat(waits(stable(3, 2))).isFalse();
    }

    /** Words count as they arrive, so ACCEPTs may be ordered with the COMMITs. */
    @Test
    void acceptsWaitForCommits() {
        for (int replica = 0; replica < 4; replica++) {
            assertThat(waits(accept(replica))).isTrue();
        }
        assertThat(waits(commit(0))).isTrue();
        assertThat(waits(commit(1))).isTrue();
        assertThat(waits(commit(2))).isFalse();
        assertThat(waits(accept(3))).as("too late to wait for").isFalse();
    }

    @Test
    void anythingElseWaitsForNobody() {
        assertThat(waits(new Tick(0, 1))).isFalse();
        assertThat(waits(new byte[] {1, 2, 3})).isFalse();
        waits(stable(0, 1));
        assertThat(waits(new Tick(0, 1))).as("but stays behind what waits").isTrue();
    }

    /** A liar's word that waited in vain costs no more than one wait in so many. */
    @Test
    void afterAWaitInVainNobodyWaitsForAWhile() {
        assertThat(waits(stable(3, 1_000))).isTrue();
        gathering.late();
        others = false;
        int waited = 0;
        for (int round = 1; round <= 15; round++) {
            waited += waits(stable(0, round)) ? 1 : 0;
        }
        assertThat(waited).isZero();
        assertThat(waits(stable(0, 16))).isTrue();
    }
}
