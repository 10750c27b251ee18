package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.machine.Outcome.Ask;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.LogRoots;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Verdicts, exclusion and its cut. Every command also tests snapshot and restore, and that the replicas agree. */
class ConvictionTest {
    private final World world = new World(1);

    private static final Hash OTHER = Hash.sha256(new byte[] {5});

    private Evidence fork(int origin, long size) {
        return new ForkedHeads(
                world.byAppserver(origin, new Head(origin, size, world.root(0, origin, size))),
                world.byAppserver(origin, new Head(origin, size, OTHER)));
    }

    private List<Outcome> submit(int server, Evidence evidence, List<Signed<Blacklist>> verdicts) {
        return world.order(world.byAppserver(server, new Verdict(server, evidence, verdicts)));
    }

    private Signed<Blacklist> word(int server, Evidence evidence, Blacklist.Finding finding) {
        return world.byAppserver(
                server, new Blacklist(server, Digests.evidence(evidence), evidence.accused(), finding));
    }

    private void writeAndCertify(int... silent) {
        for (int origin = 0; origin < world.servers(); origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll(silent);
        world.ticks(3);
        world.settle(6, silent);
    }

    private CertificateContent newest() {
        return world.certificates.get((long) world.certificates.size()).content();
    }

    @Test
    void aForkInALaterIncarnationConvictsNobody() {
        writeAndCertify();
        List<Outcome> outcomes = submit(1, fork(3, SequenceNumbers.PER_INCARNATION + 7), List.of());
        assertThat(outcomes).noneMatch(Outcome.Convicted.class::isInstance);
        writeAndCertify();
        assertThat(newest().exclusions()).isEmpty();
    }

    @Test
    void aForkerIsCutAtItsLastCertifiedValueAndTheRestGoesOn() {
        writeAndCertify();
        VersionVector certified = newest().version();
        world.write(3, 5);
        world.receiveAll(); // all others now depend beyond the cut
        world.write(0, 1);
        Evidence evidence = fork(3, 7);
        List<Outcome> outcomes = submit(1, evidence, List.of());
        assertThat(outcomes).contains(new Outcome.Convicted(3, evidence));
        world.ticks(3);
        world.settle(6, 3);
        Exclusion exclusion = new Exclusion(3, certified.get(3), Digests.evidence(evidence));
        assertThat(newest().exclusions()).containsExactly(exclusion);
        writeAndCertify(3);
        writeAndCertify(3);
        assertThat(newest().exclusions()).containsExactly(exclusion);
        assertThat(newest().version().get(3)).isEqualTo(certified.get(3));
        for (int origin = 0; origin < 3; origin++) {
            assertThat(newest().version().get(origin))
                    .isEqualTo(world.held.get(origin).get(origin));
        }
    }

    @Test
    void theBlacklistAloneMakesACertificate() {
        writeAndCertify();
        VersionVector version = newest().version();
        int before = world.certificates.size();
        submit(0, fork(2, 2), List.of());
        world.ticks(3);
        world.settle(4, 2);
        assertThat(world.certificates).hasSize(before + 1);
        assertThat(newest().version()).isEqualTo(version);
        world.ticks(10);
        assertThat(world.first().openQuestion()).isEmpty();
    }

    @Test
    void anExclusionEndsTheRunningEpoch() {
        for (int origin = 0; origin < 4; origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll();
        world.ticks(2);
        Ask running = world.question();
        submit(0, fork(1, 2), List.of());
        assertThat(world.question().epoch()).isGreaterThan(running.epoch());
        assertThat(world.question().version().get(1)).isZero();
        assertThat(world.question().exclusions()).extracting(Exclusion::origin).containsExactly(1);
    }

    @Test
    void aConvictionDuringAcceptanceCutsWhereTheAcceptedContentEnds() {
        for (int origin = 0; origin < 4; origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll();
        world.ticks(2);
        while (world.first().openQuestion().isPresent()) {
            world.answerAll();
        }
        long accepting =
                world.first().openAcceptance().orElseThrow().content().version().get(1);
        submit(0, fork(1, 2), List.of());
        world.acceptAll();
        world.ticks(3);
        world.settle(6, 1);
        assertThat(newest().exclusions()).extracting(Exclusion::cut).containsExactly(accepting);
    }

    private void recover(int from, ReadyToSign content) {
        for (int replica = from; replica < from + world.quorums.bftserverQuorum(); replica++) {
            world.order(world.holding(replica, content));
        }
    }

    private void convictsAtTheCertifiedCut(int server, long cut) {
        world.ticks(3);
        world.settle(6, server);
        assertThat(newest().exclusions()).extracting(Exclusion::cut).containsExactly(cut);
        writeAndCertify(server);
        assertThat(newest().version().get(server)).isEqualTo(cut);
        assertThat(newest().version().get(0)).isEqualTo(world.held.get(0).get(0));
    }

    /** The verdict waits before the first word on what is certified, as when appservers repeat it to servers that start. */
    @Test
    void aVerdictBeforeTheRecordsOfAColdStartCutsAtWhatTheRecordsProve() {
        writeAndCertify();
        ReadyToSign certified = world.certificates.get((long) world.certificates.size());
        world.coldStart();
        submit(0, fork(3, 2), List.of());
        assertThat(world.first().convicted()).containsExactly(3);
        recover(0, certified);
        world.acceptAll();
        convictsAtTheCertifiedCut(3, 2);
    }

    @Test
    void aVerdictThenBlankRecordsThenAProofCutsAtTheProof() {
        writeAndCertify();
        ReadyToSign certified = world.certificates.get((long) world.certificates.size());
        world.coldStart();
        submit(0, fork(3, 2), List.of());
        for (int replica = 0; replica < 3; replica++) {
            world.order(world.blank(replica));
        }
        world.order(world.holding(3, certified));
        world.acceptAll();
        convictsAtTheCertifiedCut(3, 2);
    }

    @Test
    void aProofThatComesAfterTheConvictionMovesTheCut() {
        writeAndCertify();
        ReadyToSign before = world.certificates.get((long) world.certificates.size());
        writeAndCertify();
        ReadyToSign last = world.certificates.get((long) world.certificates.size());
        assertThat(last.content().version().get(3)).isEqualTo(4);
        world.coldStart();
        recover(0, before);
        world.acceptAll();
        submit(0, fork(3, 2), List.of());
        assertThat(world.question().version().get(3)).isEqualTo(2);
        world.order(world.holding(3, last));
        world.acceptAll();
        convictsAtTheCertifiedCut(3, 4);
    }

    @Test
    void theConvictedCountsNoMore() {
        writeAndCertify();
        submit(0, fork(3, 1), List.of());
        world.ticks(3);
        Ask ask = world.question();
        byte[] before = world.first().snapshot();
        world.order(world.byAppserver(3, world.answer(3, ask)));
        world.order(world.report(3, VersionVector.of(2, 2, 2, 9)));
        submit(3, fork(2, 1), List.of());
        submit(1, fork(3, 2), List.of());
        assertThat(world.first().snapshot()).isEqualTo(before);
    }

    @Test
    void oneConvictionMoreThanFStopsCertification() {
        writeAndCertify();
        submit(0, fork(3, 1), List.of());
        List<Outcome> outcomes = submit(0, fork(2, 1), List.of());
        assertThat(outcomes).contains(new Outcome.AssumptionBroken(List.of(2, 3)));
        int before = world.certificates.size();
        world.write(0, 3);
        world.receiveAll();
        world.reportAll(2, 3);
        world.ticks(20);
        assertThat(world.first().openQuestion()).isEmpty();
        assertThat(world.certificates).hasSize(before);
    }

    @Test
    void aFalseStateConvictsByItself() {
        for (int origin = 0; origin < 4; origin++) {
            world.write(origin, 2);
        }
        world.receiveAll();
        world.reportAll();
        world.ticks(2);
        Ask ask = world.question();
        Stable right = world.answer(2, ask);
        world.order(world.byAppserver(2, World.withState(right, OTHER)));
        world.answerAll(2);
        assertThat(world.first().convicted()).containsExactly(2);
    }

    /** The others decide without the liar, whose words always come too late to be counted. */
    @Test
    void aFalseStateThatComesAfterTheDecisionConvictsToo() {
        writeAndCertify();
        for (boolean accepted : List.of(false, true)) {
            for (int origin = 0; origin < 4; origin++) {
                world.write(origin, 2);
            }
            world.receiveAll();
            world.reportAll();
            world.ticks(4);
            Ask ask = world.question();
            Stable right = world.answer(2, ask);
            world.answerAll(1, 2);
            assertThat(world.first().openQuestion()).isPresent();
            world.order(world.byAppserver(1, world.answer(1, ask)));
            if (accepted) {
                world.acceptAll();
                assertThat(world.order(world.byAppserver(2, World.withState(right, OTHER))))
                        .anyMatch(Outcome.Convicted.class::isInstance);
                assertThat(world.first().convicted()).containsExactly(2);
            } else {
                assertThat(world.order(world.byAppserver(2, right))).isEmpty();
                world.acceptAll();
                long before = world.first().rejections().getOrDefault(Rejection.NOT_ASKED, 0L);
                assertThat(world.order(world.byAppserver(2, World.withState(right, OTHER))))
                        .isEmpty();
                assertThat(world.first().rejections()).containsEntry(Rejection.NOT_ASKED, before + 1);
            }
        }
    }

    @Test
    void whatNeedsRecomputationNeedsVerdictsOfFPlusOneOthers() {
        Read read = new Read(1, "k", "pn-counter", false, CertificateNumber.NONE);
        ClientId client = new ClientId(
                SigningKey.of(Hash.sha256(new byte[] {8}).toBytes()).publicKey());
        Signed<Response> answer = world.byAppserver(
                1,
                new Response(
                        1,
                        1,
                        client,
                        1,
                        Value.of(9),
                        null,
                        Digests.read(read),
                        VersionVector.zero(4),
                        LogRoots.digest(List.of(OTHER)),
                        CertificateNumber.NONE,
                        Hash.ZERO));
        Evidence evidence = new WrongAnswer(answer, Question.of(read), List.of(reply(0, answer), reply(2, answer)));
        Signed<Blacklist> guilty = word(0, evidence, Blacklist.Finding.GUILTY);
        submit(0, evidence, List.of());
        submit(0, evidence, List.of(guilty));
        submit(0, evidence, List.of(guilty, word(1, evidence, Blacklist.Finding.GUILTY)));
        submit(0, evidence, List.of(guilty, word(2, evidence, Blacklist.Finding.UNCONFIRMED)));
        submit(0, evidence, List.of(guilty, word(3, fork(1, 1), Blacklist.Finding.GUILTY)));
        assertThat(world.first().convicted()).isEmpty();
        submit(0, evidence, List.of(guilty, word(3, evidence, Blacklist.Finding.GUILTY)));
        assertThat(world.first().convicted()).containsExactly(1);
        assertThat(evidence.accused()).isEqualTo(new Accused.Server(1));
    }

    private Signed<InspectReply> reply(int server, Signed<Response> answer) {
        return world.byAppserver(
                server,
                new InspectReply(
                        server,
                        answer.message().client(),
                        3,
                        answer.identity(),
                        answer.message().roots(),
                        InspectReply.Outcome.DIFFERS));
    }
}
