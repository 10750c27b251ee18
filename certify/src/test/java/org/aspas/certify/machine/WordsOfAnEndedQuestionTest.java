package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas foresaw what a question decides, and it ends otherwise. Every command also tests snapshot and restore. */
class WordsOfAnEndedQuestionTest {
    private final World world = new World(1);
    private Decided foreseen;

    @BeforeEach
    void foresee() {
        for (int origin = 0; origin < world.servers(); origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll();
        foreseen = foreseen();
    }

    private Decided foreseen() {
        Ask ask = world.question();
        return world.first()
                .foreseen(List.of(world.answer(0, ask), world.answer(1, ask), world.answer(2, ask)))
                .orElseThrow();
    }

    private boolean taken(Signed<?> word) {
        byte[] before = world.first().snapshot();
        world.order(word);
        return !Arrays.equals(before, world.first().snapshot());
    }

    private void convictThird() {
        Signed<Head> one = world.byAppserver(3, new Head(3, 2, world.root(0, 3, 2)));
        Signed<Head> other = world.byAppserver(3, new Head(3, 2, Hash.ZERO));
        world.order(world.byAppserver(1, new Verdict(1, new ForkedHeads(one, other), List.of())));
        assertThat(world.first().convicted()).containsExactly(3);
    }

    @Test
    void afterAVerdictTheyCountForNothingElse() {
        for (int replica = 0; replica < 3; replica++) {
            world.order(world.accept(replica, foreseen));
            world.order(world.commit(replica, foreseen));
        }
        convictThird();
        Decided next = foreseen();
        assertThat(next.hash()).isNotEqualTo(foreseen.hash());
        world.answerAll(3);
        assertThat(world.first().openAcceptance()).contains(next);
        assertThat(world.first().openCommitment()).isEmpty();
        world.acceptAll();
        assertThat(world.certificates.get(1L).content().exclusions()).hasSize(1);
    }

    /** Who accepted the other content says so, and accepts the new one in a later attempt. */
    @Test
    void theirReplicasSayOthersInALaterAttempt() {
        world.order(world.accept(0, foreseen));
        convictThird();
        Decided tooEarly = foreseen();
        assertThat(tooEarly.attempt()).isEqualTo(1);
        assertThat(taken(world.accept(0, tooEarly))).isFalse();
        world.order(world.byBftserver(
                0, new Recover(0, Hash.ZERO, Hash.ZERO, true, Epoch.NONE, CertificateNumber.FIRST, 1, null)));
        Decided next = foreseen();
        assertThat(next.attempt()).isEqualTo(2);
        for (int replica = 0; replica < 3; replica++) {
            assertThat(taken(world.accept(replica, next))).isTrue();
        }
        world.answerAll(3);
        assertThat(world.first().openCommitment()).isPresent();
    }

    /** Where certification has not begun nothing is asked, and so nothing is foreseen. */
    @Test
    void afterAColdStartNoneWaits() {
        world.coldStart();
        assertThat(taken(world.accept(0, foreseen))).isFalse();
        assertThat(taken(world.commit(0, foreseen))).isFalse();
    }

    /** The round failed at an origin, of which others hold a proof: it is asked for in full again, at once. */
    @Test
    void anOriginOfWhichAProofComesIsAskedForInFull() {
        Ask ask = world.question();
        for (int server = 0; server < world.servers(); server++) {
            Stable answer = world.answer(server, ask);
            world.order(world.byAppserver(server, server < 2 ? answer : lacking(answer)));
        }
        world.ticks(world.settings.roundTicks());
        assertThat(world.question().version().get(0)).as("it failed").isZero();
        world.order(world.holding(
                3,
                new ReadyToSign(new ProvenContent(
                        foreseen.content(), foreseen.payload(), List.of(accepted(0), accepted(1), accepted(2))))));
        world.acceptAll();
        assertThat(world.first().certificate()).isEqualTo(CertificateNumber.FIRST);
        world.write(0, 4);
        world.receiveAll();
        world.reportAll();
        for (int step = 0; world.first().openQuestion().isEmpty() && step < world.settings.epochTicks(); step++) {
            world.tick();
        }
        assertThat(world.question().version().get(0)).isEqualTo(6);
    }

    private Signed<Accept> accepted(int replica) {
        return world.accept(replica, foreseen);
    }

    /** The same of one who lacks the first origin's log. */
    private static Stable lacking(Stable from) {
        List<Hash> roots = new ArrayList<>(from.roots());
        roots.set(0, Hash.ZERO);
        List<Hash> closedRoots = new ArrayList<>(from.closedRoots());
        closedRoots.set(0, MerkleTree.EMPTY_ROOT);
        return new Stable(
                from.server(),
                from.epoch(),
                from.round(),
                from.previous(),
                from.version(),
                roots,
                from.closed().with(0, 0),
                closedRoots,
                from.state());
    }
}
