package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** The certification machine by the situations that the protocol names. Every command also tests snapshot and restore. */
class CertificationMachineTest {
    private final World world = new World(1);

    private CertificateContent newest() {
        return world.certificates.get((long) world.certificates.size()).content();
    }

    private void writeAndReport(int... silent) {
        for (int origin = 0; origin < world.servers(); origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll(silent);
    }

    @Test
    void certificatesFollowOneAnotherAndFormAChain() {
        Hash previous = Hash.ZERO;
        for (int number = 1; number <= 3; number++) {
            writeAndReport();
            world.ticks(world.settings.epochTicks());
            world.settle(4);
            assertThat(world.certificates).hasSizeGreaterThanOrEqualTo(number);
            ReadyToSign ready = world.certificates.get((long) number);
            assertThat(ready.content().previous()).isEqualTo(previous);
            previous = ready.hash();
        }
        assertThat(newest().version()).isEqualTo(VersionVector.of(6, 6, 6, 6));
        assertThat(newest().roots()).isEqualTo(world.roots(0, newest().version()));
        assertThat(world.first().signableAfter(CertificateNumber.FIRST))
                .extracting(link -> link.number().value())
                .startsWith(2L, 3L);
    }

    @Test
    void nothingIsAskedTwiceWhenNothingGrew() {
        writeAndReport();
        world.ticks(2);
        world.settle(4);
        int before = world.certificates.size();
        world.ticks(20);
        assertThat(world.first().openQuestion()).isEmpty();
        assertThat(world.certificates).hasSize(before);
    }

    @Test
    void oneSilentServerStopsNothing() {
        writeAndReport(3);
        world.settle(4, 3);
        world.ticks(2);
        world.settle(4, 3);
        assertThat(newest().version()).isEqualTo(VersionVector.of(2, 2, 2, 2));
    }

    @Test
    void aLiarWhoReportsHighPushesNothing() {
        world.write(1, 3);
        world.receiveAll();
        // The liar's own log is as long as it signs; of the others it can only repeat what they signed.
        world.order(world.report(3, VersionVector.of(0, 3, 0, 1_000_000)));
        world.reportAll(3);
        world.settle(4, 3);
        world.ticks(2);
        world.settle(4, 3);
        assertThat(newest().version()).isEqualTo(VersionVector.of(0, 3, 0, 0));
    }

    /** The machine takes numbers as they are: f liars move no component, whatever incarnation they name. */
    @Test
    void aLiarWhoNamesALaterIncarnationPushesNothing() {
        world.write(1, 3);
        world.receiveAll();
        VersionVector later = VersionVector.of(0, 3, 0, SequenceNumbers.PER_INCARNATION + 5);
        world.order(world.report(3, later));
        world.reportAll(3);
        world.settle(4, 3);
        world.ticks(2);
        world.settle(4, 3);
        assertThat(newest().version()).isEqualTo(VersionVector.of(0, 3, 0, 0));
        world.write(3, 2);
        world.write(0, 1);
        world.receiveAll();
        world.reportAll(3);
        world.order(world.report(3, later.with(0, 1).with(3, Long.MAX_VALUE)));
        world.ticks(4);
        world.settle(4, 3);
        assertThat(newest().version()).isEqualTo(VersionVector.of(1, 3, 0, 2));
    }

    @Test
    void aReportWithAHeadThatItsOriginDidNotSignIsRefused() {
        VertObft forged =
                new VertObft(3, VersionVector.of(9, 0, 0, 0), List.of(world.byAppserver(3, new Head(0, 9, Hash.ZERO))));
        byte[] before = world.first().snapshot();
        world.order(world.byAppserver(3, forged));
        assertThat(world.first().snapshot()).isEqualTo(before);
        CertificationMachine counting = world.machine();
        counting.apply(Codec.encode(world.byAppserver(3, forged)));
        assertThat(counting.rejections()).containsExactly(Map.entry(Rejection.BAD_SIGNATURE, 1L));
    }

    @Test
    void aReportThatItsHeadsDoNotCoverIsRefused() {
        VertObft bare = new VertObft(3, VersionVector.of(0, 1, 0, 0), List.of());
        CertificationMachine counting = world.machine();
        counting.apply(Codec.encode(world.byAppserver(3, bare)));
        assertThat(counting.rejections()).containsExactly(Map.entry(Rejection.INCONSISTENT, 1L));
    }

    @Test
    void aLiarWhoReportsLowStopsNothing() {
        world.write(0, 4);
        world.receiveAll();
        world.order(world.report(3, VersionVector.of(1, 0, 0, 0)));
        world.reportAll(3);
        world.settle(4);
        world.ticks(2);
        world.settle(4);
        assertThat(newest().version()).isEqualTo(VersionVector.of(4, 0, 0, 0));
    }

    @Test
    void aReportThatGoesBackIsIgnored() {
        world.write(0, 4);
        world.receiveAll();
        world.reportAll();
        byte[] before = world.first().snapshot();
        world.order(world.report(2, VersionVector.of(3, 0, 0, 0)));
        world.order(world.report(2, VersionVector.of(4, 0, 0, 0)));
        assertThat(world.first().snapshot()).isEqualTo(before);
    }

    /** Appserver 0 wrote one entry, then another one to 1 and 2 than to 3, and never speaks to the machine. */
    private void fork() {
        world.write(0, 1);
        world.receiveAll();
        world.write(1, 1);
        world.write(3, 1);
        world.fork(0, 3);
        world.write(0, 1);
        world.receiveAll();
    }

    private void run(int ticks, int silent) {
        for (int i = 0; i < ticks; i++) {
            world.settle(1, silent);
            world.tick();
        }
    }

    @Test
    void certificatesGoOnForTheOthersWhenAnOriginForksAndSpreadNoBranch() {
        fork();
        world.reportAll(0);
        run(100, 0);
        // What all share of the forked log is certified, and with it all that depends on no branch.
        assertThat(newest().version()).isEqualTo(VersionVector.of(1, 1, 0, 1));
        // An entry that has seen a branch waits with it, and one that has not does not.
        world.write(2, 1);
        for (int server = 1; server < 4; server++) {
            world.held.set(server, world.held.get(server).with(2, 1));
        }
        world.logs.get(1).add(VersionVector.of(1, 1, 0, 1));
        for (int server = 1; server < 4; server++) {
            world.held.set(server, world.held.get(server).with(1, 2));
        }
        world.reportAll(0);
        run(600, 0);
        assertThat(newest().version()).isEqualTo(VersionVector.of(1, 2, 0, 1));
    }

    @Test
    void certificatesGoOnWhenTheForkingOriginAnswersTheMachine() {
        fork();
        world.reportAll();
        run(200, 99);
        assertThat(newest().version().get(1)).isEqualTo(1);
        assertThat(newest().version().get(3)).isEqualTo(1);
        assertThat(newest().roots()).isEqualTo(world.roots(1, newest().version()));
    }

    @Test
    void aServerThatCannotFollowAForkSaysSoWithAZeroRoot() {
        world.write(0, 2);
        world.write(1, 1);
        for (int server = 0; server < 4; server++) {
            world.held.set(server, VersionVector.of(2, 1, 0, 0));
        }
        world.reportAll(3);
        Ask ask = roundWithGoal(VersionVector.of(2, 1, 0, 0));
        Stable stuck = world.answer(3, ask);
        List<Hash> roots = new ArrayList<>(stuck.roots());
        roots.set(0, Hash.ZERO);
        world.order(world.byAppserver(1, world.answer(1, ask)));
        world.order(world.byAppserver(2, world.answer(2, ask)));
        world.order(world.byAppserver(
                3,
                new Stable(
                        3,
                        ask.epoch(),
                        ask.round(),
                        ask.previous(),
                        ask.version(),
                        roots,
                        VersionVector.of(0, 0, 0, 0),
                        roots(3),
                        stuck.state())));
        world.ticks(world.settings.roundTicks());
        assertThat(world.question().round()).isEqualTo(2);
        assertThat(world.question().version()).isEqualTo(VersionVector.of(0, 1, 0, 0));
        world.settle(2, 0);
        assertThat(newest().version()).isEqualTo(VersionVector.of(0, 1, 0, 0));
    }

    private List<Hash> roots(int server) {
        return world.roots(server, VersionVector.zero(4));
    }

    /** Ends the small first epoch that an early report began, so that the question has this goal. */
    private Ask roundWithGoal(VersionVector goal) {
        for (int i = 0; i < 10 && !world.question().version().equals(goal); i++) {
            world.settle(1);
            world.ticks(2);
        }
        assertThat(world.question().version()).isEqualTo(goal);
        return world.question();
    }

    @Test
    void aRoundWithTooFewAnswersIsAskedAgainWithTheSameGoalAndALongerDeadline() {
        writeAndReport();
        VersionVector goal = world.question().version();
        world.order(world.byAppserver(0, world.answer(0, world.question())));
        world.order(world.byAppserver(1, world.answer(1, world.question())));
        world.ticks(world.settings.roundTicks());
        assertThat(world.question().round()).isEqualTo(2);
        assertThat(world.question().version()).isEqualTo(goal);
        world.ticks(2 * world.settings.roundTicks() - 1);
        assertThat(world.question().round()).isEqualTo(2);
        world.tick();
        assertThat(world.question().round()).isEqualTo(3);
        world.settle(1);
        assertThat(newest().version()).isEqualTo(goal);
    }

    @Test
    void aStableOfAnOldRoundOrEpochOrSecondHandCountsNothing() {
        writeAndReport();
        Ask old = world.question();
        world.ticks(world.settings.roundTicks());
        byte[] before = world.first().snapshot();
        for (int server = 0; server < 4; server++) {
            world.order(world.byAppserver(server, world.answer(server, old)));
            world.order(world.byAppserver((server + 1) % 4, world.answer(server, world.question())));
        }
        assertThat(world.first().snapshot()).isEqualTo(before);
        world.settle(1);
        byte[] after = world.first().snapshot();
        for (int server = 0; server < 4; server++) {
            world.order(world.byAppserver(server, world.answer(server, old)));
        }
        assertThat(world.first().snapshot()).isEqualTo(after);
    }

    @Test
    void oneServerWithAnotherStateRootDecidesNothing() {
        writeAndReport();
        Ask ask = world.question();
        Stable honest = world.answer(3, ask);
        world.order(world.byAppserver(
                3,
                new Stable(
                        3,
                        ask.epoch(),
                        ask.round(),
                        ask.previous(),
                        ask.version(),
                        honest.roots(),
                        honest.closed(),
                        honest.closedRoots(),
                        Hash.ZERO)));
        world.order(world.byAppserver(0, world.answer(0, ask)));
        assertThat(world.first().openAcceptance()).isEmpty();
        world.order(world.byAppserver(1, world.answer(1, ask)));
        assertThat(world.first().openAcceptance().orElseThrow().content().state())
                .isEqualTo(honest.state());
    }

    @Test
    void ticksNeedDistinctReplicasAndTheNextStep() {
        long now = world.first().tick();
        for (int i = 0; i < 5; i++) {
            world.order(world.byBftserver(3, new Tick(3, now + 1)));
        }
        world.order(world.byBftserver(2, new Tick(2, now + 2)));
        world.order(world.byBftserver(2, new Tick(1, now + 1)));
        assertThat(world.first().tick()).isEqualTo(now);
        world.order(world.byBftserver(0, new Tick(0, now + 1)));
        assertThat(world.first().tick()).isEqualTo(now + 1);
    }

    private static final Epoch FIRST_EPOCH = new Epoch(1L << 32);

    @Test
    void ticksOfAnEarlierLifeCountNothing() {
        long before = world.first().tick();
        world.ticks(5);
        long after = world.first().tick();
        world.coldStart();
        for (int replica = 0; replica < 3; replica++) {
            world.order(world.blank(replica, FIRST_EPOCH));
        }
        long now = world.first().tick();
        for (long k = before + 1; k <= after; k++) {
            world.order(world.byBftserver(0, new Tick(0, k)));
            world.order(world.byBftserver(1, new Tick(1, k)));
        }
        assertThat(world.first().tick()).isEqualTo(now);
        world.tick();
    }

    /** What others said on the first day, repeated by a liar after their words of this start. */
    @Test
    void oldWordsDoNotReplaceNewOnes() {
        Epoch highest = new Epoch(FIRST_EPOCH.value() + 1000);
        world.coldStart();
        world.order(world.blank(0, highest));
        world.order(world.blank(0));
        world.order(world.blank(1, new Epoch(highest.value() - 1)));
        world.order(world.blank(1));
        world.order(world.blank(3));
        writeAndReport();
        world.ticks(2);
        assertThat(world.question().epoch()).isGreaterThan(highest);
    }

    /** One liar claims an epoch far above all others: no epoch that a correct replica reached is skipped for it. */
    @Test
    void oneLiarDoesNotSetTheEpoch() {
        Epoch reached = new Epoch(FIRST_EPOCH.value() + 1000);
        world.coldStart();
        world.order(world.blank(0, reached));
        world.order(world.blank(3, new Epoch(Long.MAX_VALUE / 4)));
        world.order(world.blank(1, new Epoch(reached.value() - 1)));
        writeAndReport();
        Epoch first = world.question().epoch();
        assertThat(first).isGreaterThan(reached);
        assertThat(first.value())
                .as("with what one claim may add, and one step")
                .isLessThan(reached.value() + (1L << 35));
        world.order(world.blank(3, new Epoch(Long.MAX_VALUE / 4)));
        world.ticks(2);
        assertThat(world.question().epoch().value()).isLessThan(reached.value() + (1L << 35));
    }

    /** The same before their words of this start: certification begins in a low epoch, and goes on in a high one. */
    @Test
    void newWordsAfterOldOnesRaiseTheEpoch() {
        Epoch highest = new Epoch(FIRST_EPOCH.value() + 1000);
        world.coldStart();
        world.order(world.blank(0));
        world.order(world.blank(1));
        world.order(world.blank(3));
        writeAndReport();
        assertThat(world.question().epoch()).isLessThan(highest);
        world.order(world.blank(0, highest));
        world.order(world.blank(1, new Epoch(highest.value() - 1)));
        world.ticks(2);
        assertThat(world.question().epoch()).isGreaterThan(highest);
    }

    @Test
    void anEpochThatTooFewAnswerIsLeftInTheEndForOneFarAbove() {
        writeAndReport();
        Ask first = world.question();
        world.order(world.byAppserver(0, world.answer(0, first)));
        for (int patience = 0; patience <= 5; patience++) {
            assertThat(world.question().epoch()).isEqualTo(first.epoch());
            world.ticks(world.settings.roundTicks() << patience);
        }
        assertThat(world.question().epoch())
                .isGreaterThanOrEqualTo(new Epoch(first.epoch().value() + (1L << 32)));
        assertThat(world.question().round()).isEqualTo(1);
        assertThat(world.question().version()).isEqualTo(first.version());
        world.settle(1);
        assertThat(newest().version()).isEqualTo(first.version());
    }

    /**
     * The liar denies the log of which there is nothing new. Counted, its answer would make three, so that the epoch would never be left,
     * and a server that was asked in a higher epoch before a cold start answers in no lower one.
     */
    @Test
    void anAnswerThatCannotBeDoesNotKeepTheMachineInAnEpochThatTooFewAnswer() {
        world.write(1, 1);
        world.receiveAll();
        world.reportAll();
        Ask first = world.question();
        for (int patience = 0; patience <= 5; patience++) {
            Ask ask = world.question();
            assertThat(ask.epoch()).isEqualTo(first.epoch());
            world.order(world.byAppserver(3, denyingOrigin0(ask)));
            world.order(world.byAppserver(0, world.answer(0, ask)));
            world.order(world.byAppserver(1, world.answer(1, ask)));
            world.ticks(world.settings.roundTicks() << patience);
        }
        assertThat(world.question().epoch())
                .isGreaterThanOrEqualTo(new Epoch(first.epoch().value() + (1L << 32)));
        world.answerAll(3);
        world.acceptAll();
        assertThat(newest().version()).isEqualTo(first.version());
    }

    private Stable denyingOrigin0(Ask ask) {
        Stable honest = world.answer(3, ask);
        List<Hash> roots = new ArrayList<>(honest.roots());
        roots.set(0, Hash.ZERO);
        return new Stable(
                3,
                ask.epoch(),
                ask.round(),
                ask.previous(),
                ask.version(),
                roots,
                honest.closed(),
                honest.closedRoots(),
                honest.state());
    }

    /** Two origins lie: each forks to two of the others, and both dissent about a log of which there is nothing. */
    @Test
    void dissentWhereNothingCanFallDoesNotKeepTheRestFromFalling() {
        World seven = new World(2);
        seven.write(1, 1);
        seven.fork(5, 1);
        seven.fork(5, 2);
        seven.fork(6, 3);
        seven.fork(6, 4);
        seven.write(5, 1);
        seven.write(6, 1);
        seven.receiveAll();
        seven.reportAll();
        for (int round = 0; round < 4 && seven.first().openQuestion().isPresent(); round++) {
            Ask ask = seven.question();
            for (int liar = 5; liar < 7; liar++) {
                Stable honest = seven.answer(liar, ask);
                List<Hash> roots = new ArrayList<>(honest.roots());
                roots.set(0, Hash.ZERO);
                List<Hash> closed = new ArrayList<>(honest.closedRoots());
                closed.set(0, Hash.ZERO);
                seven.order(seven.byAppserver(
                        liar,
                        new Stable(
                                liar,
                                ask.epoch(),
                                ask.round(),
                                ask.previous(),
                                ask.version(),
                                roots,
                                honest.closed(),
                                closed,
                                honest.state())));
            }
            seven.answerAll(5, 6);
            seven.acceptAll();
            seven.ticks(seven.settings.roundTicks() << round);
        }
        assertThat(seven.certificates).isNotEmpty();
        assertThat(seven.certificates.get(1L).content().version().get(1)).isEqualTo(1);
    }

    @Test
    void aContentWaitsForAQuorumOfAcceptsAndOfCommitsAndHoldsTheNextEpochBack() {
        writeAndReport();
        world.answerAll();
        Decided open = world.first().openAcceptance().orElseThrow();
        writeAndReport();
        world.ticks(10);
        assertThat(world.first().openQuestion()).isEmpty();
        world.order(world.accept(0, open));
        world.order(world.accept(0, open));
        world.order(world.accept(1, open));
        world.order(world.byBftserver(2, new Accept(2, CertificateNumber.FIRST, 1, Hash.ZERO)));
        world.order(world.byBftserver(2, new Accept(2, CertificateNumber.FIRST, 2, open.hash())));
        world.order(world.byBftserver(2, new Accept(3, CertificateNumber.FIRST, 1, open.hash())));
        assertThat(world.first().openCommitment()).isEmpty();
        world.order(world.commit(0, open));
        world.order(world.accept(2, open));
        assertThat(world.first().openCommitment()).isPresent();
        world.order(world.accept(3, open));
        world.order(world.commit(1, open));
        world.order(world.commit(1, open));
        world.order(world.byBftserver(2, new Commit(2, CertificateNumber.FIRST, 2, open.hash())));
        world.order(world.byBftserver(2, new Commit(3, CertificateNumber.FIRST, 1, open.hash())));
        assertThat(world.certificates).isEmpty();
        world.order(world.commit(3, open));
        assertThat(world.certificates).containsOnlyKeys(1L);
        assertThat(world.question().number().value()).isEqualTo(2);
        assertThat(world.question().previous()).isEqualTo(open.hash());
    }

    /** Replicas hear ACCEPTs before they are ordered, so that their COMMITs can come first. */
    @Test
    void commitsThatAreOrderedBeforeTheAcceptsAreKept() {
        writeAndReport();
        world.answerAll();
        Decided open = world.first().openAcceptance().orElseThrow();
        for (int replica = 0; replica < 4; replica++) {
            assertThat(world.order(world.commit(replica, open))).isEmpty();
            assertThat(world.order(world.commit(replica, open))).isEmpty();
        }
        assertThat(world.order(world.accept(3, open))).isEmpty();
        assertThat(world.order(world.accept(1, open))).isEmpty();
        assertThat(world.first().openCommitment()).isEmpty();
        List<Outcome> outcomes = world.order(world.accept(0, open));
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Accepted.class);
        assertThat(outcomes.get(1)).isEqualTo(proven(open, 0, 1, 3));
        assertThat(world.first().openAcceptance()).isEmpty();
        assertThat(world.first().certificate()).isEqualTo(CertificateNumber.FIRST);
    }

    @Test
    void aProofInARecoverCompletesWhatWasCommittedTo() {
        writeAndReport();
        world.answerAll();
        Decided open = world.first().openAcceptance().orElseThrow();
        for (int replica = 1; replica < 4; replica++) {
            world.order(world.commit(replica, open));
        }
        world.order(world.holding(3, proven(open, 1, 2, 3)));
        assertThat(world.certificates).containsOnlyKeys(1L);
        assertThat(world.first().openAcceptance()).isEmpty();
    }

    private ReadyToSign proven(Decided open, int... replicas) {
        List<Signed<Accept>> accepts = new ArrayList<>();
        for (int replica : replicas) {
            accepts.add(world.accept(replica, open));
        }
        return new ReadyToSign(new ProvenContent(open.content(), open.payload(), accepts));
    }

    /** A liar takes two ACCEPTs on their way and its own, and has the proof ordered before the third, whenever it can. */
    @Test
    void aProofOfThePendingContentTakesThePlaceOfItsAccepts() {
        writeAndReport();
        world.answerAll();
        Decided open = world.first().openAcceptance().orElseThrow();
        world.order(world.accept(0, open));
        ReadyToSign early = proven(open, 0, 1, 3);
        List<Outcome> outcomes = world.order(world.holding(3, early));
        assertThat(outcomes).contains(new Outcome.Accepted(early.proven())).noneMatch(Decided.class::isInstance);
        assertThat(world.first().openAcceptance()).contains(open);
        assertThat(world.order(world.holding(3, early))).hasSize(1);
        world.order(world.accept(1, open));
        world.order(world.accept(2, open));
        for (int replica = 0; replica < 3; replica++) {
            world.order(world.commit(replica, open));
        }
        assertThat(world.certificates).containsOnlyKeys(1L);
    }

    @Test
    void moreWordsThanAProofNeedsAreLeftOut() {
        writeAndReport();
        world.answerAll();
        Decided open = world.first().openAcceptance().orElseThrow();
        world.order(world.holding(3, proven(open, 0, 1, 2, 3)));
        assertThat(world.first().openCommitment().orElseThrow().proven())
                .isEqualTo(proven(open, 0, 1, 2).proven());
        world.acceptAll();
        assertThat(world.certificates).containsOnlyKeys(1L);
    }

    /** A proof from an earlier attempt is shown to those that may need it, and costs no attempt. */
    @Test
    void aProofOfThePendingContentFromAnEarlierAttemptIsKeptAndBeginsNothing() {
        writeAndReport();
        world.answerAll();
        Decided first = world.first().openAcceptance().orElseThrow();
        world.order(world.byBftserver(
                2, new Recover(2, Hash.ZERO, Hash.ZERO, true, Epoch.NONE, CertificateNumber.FIRST, 1, null)));
        Decided second = world.first().openAcceptance().orElseThrow();
        assertThat(second.attempt()).isEqualTo(2);
        world.order(world.accept(0, second));
        world.order(world.accept(1, second));
        ReadyToSign early = proven(first, 0, 1, 3);
        Decided shown = new Decided(second.content(), second.payload(), 2, early.proven());
        assertThat(world.order(world.holding(3, early))).contains(shown);
        assertThat(world.first().openAcceptance()).contains(shown);
        world.order(world.accept(2, second));
        assertThat(world.first().openCommitment().orElseThrow().proven().attempt())
                .isEqualTo(2);
        world.acceptAll();
        assertThat(world.certificates).containsOnlyKeys(1L);
    }

    /** After a cold start an older proof is followed by a newer one, which nobody has accepted again yet. */
    @Test
    void aProofFromALaterAttemptBeginsANewOne() {
        writeAndReport();
        world.answerAll();
        Decided first = world.first().openAcceptance().orElseThrow();
        Decided later = new Decided(first.content(), first.payload(), 7, null);
        world.order(world.holding(3, proven(later, 0, 1, 2)));
        assertThat(world.first().openAcceptance().orElseThrow().attempt()).isEqualTo(8);
        world.acceptAll();
        assertThat(world.certificates).containsOnlyKeys(1L);
    }

    /**
     * After a cold start a content is decided, and then a record shows that a smaller one was accepted before. What only the
     * first one had is asked for again, also when nobody writes any more.
     */
    @Test
    void whatADecidedContentHadIsAskedForAgainWhenAnotherTakesItsPlace() {
        world.write(0, 1);
        world.receiveAll();
        world.reportAll();
        world.answerAll();
        Decided small = world.first().openAcceptance().orElseThrow();
        world.coldStart();
        world.write(1, 1);
        world.receiveAll();
        for (int replica : new int[] {0, 1, 3}) {
            world.order(world.blank(replica));
        }
        world.reportAll();
        while (!world.question().version().equals(VersionVector.of(1, 1, 0, 0))) {
            world.ticks(1);
        }
        world.answerAll();
        assertThat(world.first().openAcceptance().orElseThrow().content().version())
                .isEqualTo(VersionVector.of(1, 1, 0, 0));
        world.order(world.holding(2, proven(small, 1, 2, 3)));
        world.acceptAll();
        assertThat(newest().version()).isEqualTo(VersionVector.of(1, 0, 0, 0));
        world.ticks(world.settings.epochTicks());
        world.settle(2);
        assertThat(newest().version()).isEqualTo(VersionVector.of(1, 1, 0, 0));
    }

    /**
     * A replica that lost its record accepted again in the attempt in which it had accepted something else, and a liar has the
     * proof of that ordered first. Those who committed to the other content accept this one no more; the state search found
     * that certification stood still then.
     */
    @Test
    void aRivalOfTheSameAttemptTakesTheTurnOfAContentThatNobodyAccepts() {
        writeAndReport();
        world.answerAll();
        Decided wrong = world.first().openAcceptance().orElseThrow();
        CertificateContent content = wrong.content();
        CertificateContent other = new CertificateContent(
                content.deployment(),
                content.number(),
                content.previous(),
                content.version(),
                content.roots(),
                Hash.sha256(new byte[] {77}),
                content.exclusions());
        Decided right = new Decided(other, Codec.encode(other), wrong.attempt(), null);
        world.order(world.holding(3, proven(wrong, 0, 1, 3)));
        world.coldStart();
        world.order(world.holding(3, proven(wrong, 0, 1, 3)));
        world.order(world.blank(0));
        world.order(world.blank(1));
        assertThat(world.first().openAcceptance().orElseThrow().hash()).isEqualTo(wrong.hash());
        world.order(world.holding(0, proven(right, 0, 2, 3)));
        assertThat(world.first().openAcceptance().orElseThrow().hash()).isEqualTo(right.hash());
        assertThat(world.first().openAcceptance().orElseThrow().attempt()).isGreaterThan(wrong.attempt());
        // The liar gets its turn back only after a pause, and none once the other one is proved again.
        world.order(world.holding(3, proven(wrong, 0, 1, 3)));
        assertThat(world.first().openAcceptance().orElseThrow().hash()).isEqualTo(right.hash());
        world.ticks(1);
        world.acceptAll();
        world.order(world.holding(3, proven(wrong, 0, 1, 3)));
        assertThat(newest()).isEqualTo(other);
    }

    @Test
    void aProofIsVerifiedWhenItIsNews() {
        writeAndReport();
        world.answerAll();
        Decided open = world.first().openAcceptance().orElseThrow();
        ReadyToSign right = proven(open, 0, 1, 2);
        List<Signed<Accept>> forged = new ArrayList<>(right.proven().accepts().subList(0, 2));
        forged.add(new Signed<>(
                new Accept(3, CertificateNumber.FIRST, open.attempt(), open.hash()),
                world.accept(3, open).payload(),
                forged.get(0).signature()));
        ProvenContent wrong = new ProvenContent(open.content(), open.payload(), forged);
        assertThat(world.order(world.holding(3, new ReadyToSign(wrong)))).isEmpty();
        assertThat(world.first().openCommitment()).isEmpty();
        world.acceptAll();
        assertThat(world.order(world.holding(3, new ReadyToSign(wrong)))).hasSize(1);
    }

    @Test
    void garbageChangesNothing() {
        writeAndReport();
        byte[] good = Codec.encode(world.byAppserver(1, world.answer(1, world.question())));
        Random random = new Random(7);
        byte[] before = world.first().snapshot();
        for (int i = 0; i < 200; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            world.order(bad);
            world.order(Arrays.copyOf(good, random.nextInt(good.length)));
        }
        Sealer stranger = new Sealer(
                SigningKey.of(Hash.ZERO.toBytes()), world.keys.members().deployment());
        world.order(stranger.seal(world.answer(1, world.question())));
        world.order(stranger.seal(new Tick(99, 1)));
        world.order(Codec.encode(new Tick(0, 1)));
        assertThat(world.first().snapshot()).isEqualTo(before);
        assertThat(world.first().apply(new byte[0])).startsWith(0);
    }

    @Test
    void aBrokenSnapshotIsRefusedAndLeavesTheState() {
        writeAndReport();
        world.answerAll();
        byte[] good = world.first().snapshot();
        CertificationMachine machine = world.machine();
        byte[] before = machine.snapshot();
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> machine.restore(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(machine.snapshot()).isEqualTo(before);
        Random random = new Random(11);
        for (int i = 0; i < 500; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            restoreOrRefuse(bad);
        }
    }

    private void restoreOrRefuse(byte[] snapshot) {
        CertificationMachine machine = world.machine();
        try {
            machine.restore(snapshot);
        } catch (IllegalArgumentException refused) {
            return;
        }
        assertThat(machine.snapshot()).isEqualTo(snapshot);
    }
}
