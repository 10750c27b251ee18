package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom a replica with a complete record answers, how often, and what a replica without one does once it is taught. */
class RecordRelearningTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {4});

    private final Quorums quorums = new Quorums(1, 1);
    private final List<Sealer> sealers = IntStream.range(0, quorums.bftservers())
            .mapToObj(i ->
                    new Sealer(SigningKey.of(Hash.sha256(new byte[] {(byte) i}).toBytes()), DEPLOYMENT))
            .toList();
    private final List<Recover> said = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    private final CertificateSigner signer = signer();
    private long ticks;

    private CertificateSigner signer() {
        RecordState record = new RecordState();
        record.apply(new RecordItem.Taught(CertificateNumber.NONE));
        return signer(record);
    }

    private CertificateSigner signer(RecordState record) {
        return new CertificateSigner(
                0,
                sealers.get(0),
                Lab.members(sealers, sealers, new Verifier(DEPLOYMENT)),
                record,
                start(0, 0),
                Lab.outlet(
                        item -> {},
                        command -> said.add((Recover) Lab.message(command)),
                        frame -> sent.add(Lab.message(frame))));
    }

    private static Hash start(int replica, int number) {
        return Hash.sha256(new byte[] {(byte) replica, (byte) number, (byte) (number >> 8)});
    }

    /** A replica asks; whether it is answered at once. */
    private boolean answered(int replica, int number) {
        int before = said.size();
        Hash start = start(replica, number);
        signer.on(new Outcome.Recovered(
                new Recover(replica, start, Hash.ZERO, false, Epoch.NONE, CertificateNumber.NONE, 0, null)));
        assertThat(said.subList(before, said.size()))
                .allMatch(one -> one.answers().equals(start));
        return said.size() > before;
    }

    private void tick() {
        signer.on(new Outcome.Ticked(++ticks));
    }

    @Test
    void questionsOfEarlierStartsDoNotDelayTheAnswerToANewOne() {
        for (int old = 1; old <= 3; old++) {
            assertThat(answered(2, old)).isTrue();
        }
        for (int again = 0; again < 5; again++) {
            assertThat(answered(2, 2)).isFalse();
        }
        assertThat(answered(2, 4)).isTrue();
    }

    @Test
    void aQuestionThatComesAgainIsAnsweredAgainAfterAWhile() {
        assertThat(answered(1, 1)).isTrue();
        for (int i = 1; i < RecordRelearning.ANSWER_TICKS; i++) {
            tick();
            assertThat(answered(1, 1)).isFalse();
        }
        tick();
        assertThat(answered(1, 1)).isTrue();
    }

    /** A liar has 300 names of its own answered when it may, and repeats all of them at every step of time. */
    @Test
    void namesThatAreRepeatedCostNoMoreThanNewOnes() {
        int answers = 0;
        int windows = 100;
        for (int i = 0; i < windows * RecordRelearning.ANSWER_TICKS; i++) {
            for (int number = 0; number < 300; number++) {
                answers += answered(3, number) ? 1 : 0;
            }
            tick();
        }
        assertThat(answers)
                .isLessThanOrEqualTo(windows * (RecordRelearning.NEW_QUESTIONS + RecordRelearning.OLD_QUESTIONS));
    }

    /** Earlier starts of a replica that a liar repeats, before the replica itself can, do not silence it for ever. */
    @Test
    void repeatedNamesOfEarlierStartsDoNotKeepTheAnswerAwayForEver() {
        int answers = 0;
        for (int i = 0; i < 600; i++) {
            for (int old = 1; old <= 40; old++) {
                answered(2, old);
            }
            answers += answered(2, 99) ? 1 : 0;
            tick();
        }
        assertThat(answers).isGreaterThan(4);
    }

    /**
     * Nobody has promised anything, as it seems: the liar says so, and one that missed everything. A record that is not there was lost all the same, for
     * it was made with the deployment.
     */
    @Test
    void nobodyTakesTheDeploymentForNew() {
        RecordState record = new RecordState();
        CertificateSigner learner = signer(record);
        for (int other = 1; other < 3; other++) {
            learner.on(blank(other, true));
        }
        assertThat(learner.knowing()).isFalse();
        learner.on(blank(3, false));
        assertThat(learner.knowing())
                .as("whose record is not complete teaches nothing")
                .isFalse();
        learner.on(blank(3, true));
        assertThat(learner.knowing()).isTrue();
        assertThat(RecordState.ofFirstDay().knowing()).isTrue();
        assertThat(RecordState.ofFirstDay().floor()).isEqualTo(CertificateNumber.NONE);
    }

    private static Outcome.Recovered blank(int replica, boolean complete) {
        return new Outcome.Recovered(new Recover(
                replica, start(replica, 1), start(0, 0), complete, Epoch.NONE, CertificateNumber.NONE, 0, null));
    }

    /** What an answer proves is the signer's to verify: the machine looks only at what is news to it. */
    @Test
    void anAnswerWithAForgedProofTeachesNothing() {
        RecordState record = new RecordState();
        CertificateSigner learner = signer(record);
        CertificateContent content = content(1);
        ProvenContent forged = new ProvenContent(content, Codec.encode(content), List.of());
        for (int other = 1; other < 4; other++) {
            learner.on(answer(other, other == 3 ? forged : null));
        }
        assertThat(learner.knowing()).isFalse();
        learner.on(answer(3, null));
        assertThat(learner.knowing()).isTrue();
        assertThat(record.newestProven()).isEmpty();
    }

    private static CertificateContent content(long number) {
        return new CertificateContent(
                DEPLOYMENT,
                new CertificateNumber(number),
                Hash.ZERO,
                VersionVector.of(number, 0, 0, 0),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
    }

    /** A content with the words of the three others. */
    private ProvenContent proven(long number) {
        CertificateContent content = content(number);
        byte[] payload = Codec.encode(content);
        List<Signed<Accept>> accepts = IntStream.range(1, quorums.bftservers())
                .mapToObj(other -> sealers.get(other)
                        .seal(new Accept(other, new CertificateNumber(number), 1, Hash.sha256(payload))))
                .toList();
        return new ProvenContent(content, payload, accepts);
    }

    /**
     * The order says once that a content is to be signed. Where it said so before the others had taught the replica, one of
     * them that signs wrongly kept the certificate from its end for good.
     */
    @Test
    void whatBecameReadyBeforeTheLessonsIsSignedAfterThem() {
        RecordState record = new RecordState();
        CertificateSigner learner = signer(record);
        ProvenContent last = proven(2);
        learner.on(new Outcome.ReadyToSign(proven(1)));
        learner.on(new Outcome.ReadyToSign(last));
        learner.on(new Outcome.Ask(
                Epoch.NONE.next(), 1, last.hash(), new CertificateNumber(3), VersionVector.of(3, 0, 0, 0), List.of()));
        learner.on(answer(1, last));
        learner.on(answer(2, last));
        assertThat(sent).hasSize(1).allMatch(BftReqStable.class::isInstance);
        learner.on(answer(3, null));
        assertThat(learner.knowing()).isTrue();
        assertThat(record.share(CertificateNumber.FIRST)).isEmpty();
        Share share = record.share(new CertificateNumber(2)).orElseThrow();
        assertThat(share.content().identity()).isEqualTo(last.hash());
        assertThat(sent).hasSize(2).endsWith(share);
        learner.askAgain();
        assertThat(sent.subList(2, 4)).containsExactly(share, sent.get(0));
    }

    private static Outcome.Recovered answer(int replica, @Nullable ProvenContent proven) {
        return new Outcome.Recovered(new Recover(
                replica, start(replica, 1), start(0, 0), true, Epoch.NONE, CertificateNumber.FIRST, 1, proven));
    }

    @Test
    void nobodyMakesTheOthersAnswerWithoutEnd() {
        int answers = 0;
        for (int number = 0; number < 1000; number++) {
            answers += answered(3, number) ? 1 : 0;
        }
        assertThat(answers).isLessThan(20);
        assertThat(answered(2, 1)).isTrue();
    }
}
