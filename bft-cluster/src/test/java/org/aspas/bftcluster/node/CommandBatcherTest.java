package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.bftcluster.isolation.Grouping.Next;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** One liar among four appservers, and one among four bftservers. */
class CommandBatcherTest {
    private static final Sealer SEALER = new Sealer(SigningKey.of(new byte[32]), Hash.ZERO);
    private static final Hash OTHER = Hash.sha256(new byte[0]);
    private static final List<Hash> ROOTS = List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO);
    private static final List<Hash> OTHER_ROOTS = List.of(Hash.ZERO, OTHER, Hash.ZERO, Hash.ZERO);
    private static final VersionVector CLOSED = VersionVector.zero(4);

    private final CommandBatcher batcher = new CommandBatcher(new Quorums(1, 1));
    private boolean others;
    private Next next = Next.GO;

    private boolean waits(Message message) {
        return waits(Codec.encode(SEALER.seal(message)));
    }

    private boolean waits(byte[] command) {
        next = batcher.next(command, others);
        others = next != Next.GO;
        return others;
    }

    private static Message stable(int server, long round) {
        return stable(server, round, Hash.ZERO);
    }

    private static Message stable(int server, long round, Hash state) {
        return stable(server, round, ROOTS, CLOSED, ROOTS, state);
    }

    private static Message stable(
            int server, long round, List<Hash> roots, VersionVector closed, List<Hash> closedRoots, Hash state) {
        return new Stable(
                server, new Epoch(1), round, Hash.ZERO, VersionVector.zero(4), roots, closed, closedRoots, state);
    }

    private void comes(Message message, Next expected) {
        waits(message);
        assertThat(next).isEqualTo(expected);
    }

    private static Message report(int server) {
        return new VertObft(server, VersionVector.zero(4), List.of());
    }

    private static Message accept(int replica) {
        return accept(replica, 1);
    }

    private static Message accept(int replica, long attempt) {
        return new Accept(replica, new CertificateNumber(1), attempt, Hash.ZERO);
    }

    private static Message commit(int replica) {
        return new Commit(replica, new CertificateNumber(1), 1, Hash.ZERO);
    }

    private void alike(long round) {
        comes(stable(0, round), Next.WAIT);
        comes(stable(2, round), Next.WAIT);
        comes(stable(3, round), Next.WAIT_ANEW);
    }

    private void words() {
        for (int replica = 0; replica < 3; replica++) {
            assertThat(waits(accept(replica))).isTrue();
        }
        assertThat(waits(commit(0))).isTrue();
        assertThat(waits(commit(1))).isTrue();
        assertThat(waits(commit(2))).isFalse();
    }

    /** The words follow without an order, and as soon as these answers are here. */
    @Test
    void answersThatAreAlikeWaitForTheWords() {
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(3, 1))).isTrue();
        assertThat(next).isEqualTo(Next.WAIT);
        assertThat(waits(stable(2, 1))).isTrue();
        assertThat(next).isEqualTo(Next.WAIT_ANEW);
        words();
        assertThat(waits(report(1))).isFalse();
    }

    /** Nobody can know before their order what they decide. */
    @Test
    void answersThatDifferGoWhenThereAreEnough() {
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(3, 1, OTHER))).isTrue();
        assertThat(waits(stable(2, 1))).isFalse();
        assertThat(waits(report(0))).as("the words follow").isTrue();
        assertThat(waits(stable(1, 1))).as("now they are alike").isTrue();
        words();
    }

    private void differs(Message other) {
        comes(stable(0, 1), Next.WAIT);
        comes(other, Next.WAIT);
        comes(stable(2, 1), Next.GO);
        comes(report(0), Next.WAIT);
        comes(stable(3, 1), Next.WAIT_ANEW);
    }

    @Test
    void answersWithOtherRootsAreNotAlike() {
        differs(stable(1, 1, OTHER_ROOTS, CLOSED, ROOTS, Hash.ZERO));
    }

    @Test
    void answersThatCloseElsewhereAreNotAlike() {
        differs(stable(1, 1, ROOTS, CLOSED.with(1, 1), ROOTS, Hash.ZERO));
    }

    @Test
    void answersWithOtherClosedRootsAreNotAlike() {
        differs(stable(1, 1, ROOTS, CLOSED, OTHER_ROOTS, Hash.ZERO));
    }

    @Test
    void answersWithAnotherStateAreNotAlike() {
        differs(stable(1, 1, ROOTS, CLOSED, ROOTS, OTHER));
    }

    @Test
    void anAnswerMoreThanThoseThatAreAlikeWaitsAndNothingBeginsAnew() {
        alike(1);
        comes(stable(1, 1, OTHER), Next.WAIT);
        comes(stable(1, 1), Next.WAIT);
        words();
    }

    /** It is the first that waits, and does not begin an order either. */
    @Test
    void theAnswerThatMakesEnoughOfThemAlikeWaitsForTheWords() {
        comes(stable(0, 1), Next.WAIT);
        comes(stable(1, 1, OTHER), Next.WAIT);
        comes(stable(2, 1), Next.GO);
        comes(stable(3, 1), Next.WAIT_ANEW);
        words();
    }

    /** The order of the first ones may decide without it. */
    @Test
    void anAnswerMoreThatMakesNoneAlikeWaitsForTheWordsToo() {
        comes(stable(0, 1), Next.WAIT);
        comes(stable(1, 1, OTHER), Next.WAIT);
        comes(stable(2, 1), Next.GO);
        comes(stable(3, 1, OTHER), Next.WAIT);
        words();
    }

    @Test
    void nobodyWaitsForAnAnswerAfterTheWords() {
        comes(stable(0, 1), Next.WAIT);
        comes(stable(1, 1, OTHER), Next.WAIT);
        comes(stable(2, 1), Next.GO);
        words();
        comes(stable(3, 1), Next.GO);
        comes(report(1), Next.GO);
    }

    /** The other bftservers had enough answers, and this one has their words. */
    @Test
    void afterTheWordsNobodyWaitsForTheAnswersThatWereMissing() {
        comes(stable(0, 1), Next.WAIT);
        comes(stable(1, 1), Next.WAIT);
        words();
        comes(stable(2, 1), Next.GO);
        comes(stable(3, 1), Next.GO);
        comes(report(1), Next.GO);
    }

    @Test
    void theWordsEndNoQuestionThatOneAloneHasAnswered() {
        comes(stable(3, 2), Next.WAIT);
        words();
        comes(stable(0, 2), Next.WAIT);
        comes(stable(1, 2), Next.WAIT_ANEW);
    }

    @Test
    void theNextQuestionIsNotOverWithTheWordsOfTheOneBefore() {
        alike(1);
        words();
        alike(2);
    }

    @Test
    void theFirstAnswerOfAServerCounts() {
        comes(stable(0, 1), Next.WAIT);
        comes(stable(1, 1), Next.WAIT);
        comes(stable(1, 1, OTHER), Next.WAIT);
        comes(stable(2, 1), Next.WAIT_ANEW);
    }

    @Test
    void answersThatAreAlikeWaitForNobodyAfterAWaitInVain() {
        comes(stable(3, 1_000), Next.WAIT);
        batcher.late();
        others = false;
        comes(stable(0, 1), Next.GO);
        comes(stable(1, 1), Next.GO);
        comes(stable(2, 1), Next.GO);
        comes(stable(3, 1), Next.GO);
        comes(report(0), Next.GO);
    }

    @Test
    void aServerBeyondTheDeploymentAnswersNothing() {
        comes(stable(4, 1), Next.GO);
        comes(stable(0, 1), Next.WAIT);
        comes(stable(5, 1), Next.WAIT);
        comes(stable(1, 1), Next.WAIT);
        comes(stable(4, 1, OTHER), Next.WAIT);
        comes(stable(2, 1), Next.WAIT_ANEW);
    }

    @Test
    void aReplicaBeyondTheDeploymentCommitsNothing() {
        comes(commit(0), Next.WAIT);
        comes(commit(4), Next.WAIT);
        comes(commit(5), Next.WAIT);
        comes(commit(1), Next.WAIT);
        comes(commit(3), Next.GO);
    }

    @Test
    void aCommitMoreEndsNotTheWaitForTheNextWords() {
        alike(1);
        words();
        alike(2);
        comes(commit(3), Next.WAIT);
        comes(accept(3), Next.WAIT);
        comes(report(1), Next.WAIT);
    }

    @Test
    void acceptsOfInventedAttemptsMakeNobodyForgetCommits() {
        comes(commit(0), Next.WAIT);
        comes(commit(1), Next.WAIT);
        for (int attempt = 2; attempt < 22; attempt++) {
            comes(accept(3, attempt), Next.WAIT);
        }
        comes(commit(2), Next.GO);
    }

    /** The order that it would begin would still be under way when the words are there. */
    @Test
    void whateverComesBetweenAnswersAndWordsGoesWithTheWords() {
        assertThat(waits(report(0))).as("no question").isFalse();
        waits(stable(0, 1));
        waits(stable(1, 1));
        assertThat(waits(stable(2, 1))).isTrue();
        assertThat(waits(stable(3, 1))).as("more than enough").isTrue();
        assertThat(waits(report(1))).isTrue();
        assertThat(waits(new Tick(0, 1))).isTrue();
        words();
        assertThat(waits(commit(3))).as("more than enough").isFalse();
        assertThat(waits(report(3))).isFalse();
    }

    @Test
    void whatWaitedInVainForWordsWaitsNoMore() {
        for (int server = 0; server < 3; server++) {
            waits(stable(server, 1));
        }
        assertThat(waits(report(0))).isTrue();
        batcher.late();
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
        assertThat(next).isEqualTo(Next.WAIT);
        waits(stable(2, 1));
        assertThat(next).isEqualTo(Next.WAIT_ANEW);
    }

    @Test
    void answersToAnotherQuestionAreCountedApart() {
        assertThat(waits(stable(0, 1))).isTrue();
        assertThat(waits(stable(1, 2))).isTrue();
        assertThat(waits(stable(2, 2))).isTrue();
        assertThat(next).isEqualTo(Next.WAIT);
        waits(stable(3, 2));
        assertThat(next).isEqualTo(Next.WAIT_ANEW);
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
        batcher.late();
        others = false;
        int waited = 0;
        for (int round = 1; round <= 15; round++) {
            waited += waits(stable(0, round)) ? 1 : 0;
        }
        assertThat(waited).isZero();
        assertThat(waits(stable(0, 16))).isTrue();
    }
}
