package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Epoch;
import org.aspas.certify.message.ProvenContent;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.replica.Effect;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

class QuestionLagTest {
    private static final byte[] COMMAND = {1};

    private final QuestionLag lag = new QuestionLag(null);

    private static CertificateContent content(long number) {
        return new CertificateContent(
                Hash.ZERO,
                new CertificateNumber(number),
                Hash.ZERO,
                VersionVector.zero(4),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
    }

    private void asks(long number, long epoch, long round, long now) {
        comes(
                new Outcome.Ask(
                        new Epoch(epoch),
                        round,
                        Hash.ZERO,
                        new CertificateNumber(number),
                        VersionVector.zero(4),
                        List.of()),
                now);
    }

    private void comes(Outcome outcome, long now) {
        lag.ordered(COMMAND, List.of(outcome), now);
    }

    private static Outcome decided(long number) {
        CertificateContent content = content(number);
        return new Outcome.Decided(content, Codec.encode(content), 1, null);
    }

    private static ProvenContent proven(long number) {
        CertificateContent content = content(number);
        return new ProvenContent(content, Codec.encode(content), List.of());
    }

    private static Effect share(long number) {
        CertificateContent content = content(number);
        byte[] payload = Codec.encode(content);
        return new Effect.ToAppservers(Codec.encode(new Share(0, new Signed<>(content, payload, new byte[64]))));
    }

    private long[] of(LagStep step) {
        return lag.durations().since(step, Long.MIN_VALUE / 2);
    }

    @Test
    void eachStepOfACertificateIsMeasuredOnce() {
        asks(1, 1, 1, 100);
        asks(1, 1, 2, 130);
        comes(decided(1), 140);
        comes(new Outcome.Accepted(proven(1)), 155);
        comes(new Outcome.ReadyToSign(proven(1)), 175);
        lag.follows(List.of(new Effect.ToAppservers(COMMAND), share(7)), 176);
        lag.follows(List.of(share(1)), 178);
        lag.follows(List.of(share(1)), 179);
        assertThat(of(LagStep.QUESTION)).isEmpty();
        assertThat(of(LagStep.DECIDED))
                .as("a later round goes on with the question")
                .containsExactly(40);
        assertThat(of(LagStep.ACCEPTED)).containsExactly(15);
        assertThat(of(LagStep.COMMITTED)).containsExactly(20);
        assertThat(of(LagStep.SIGNED)).containsExactly(38);
        asks(2, 2, 1, 200);
        assertThat(of(LagStep.QUESTION)).containsExactly(25);
    }

    @Test
    void aSignatureThatWaitsForTheDiskIsMeasuredThoughTheNextQuestionIsAsked() {
        comes(decided(1), 90);
        comes(new Outcome.ReadyToSign(proven(1)), 100);
        asks(2, 2, 1, 101);
        lag.follows(List.of(share(1)), 150);
        assertThat(of(LagStep.SIGNED)).containsExactly(60);
        assertThat(of(LagStep.COMMITTED)).as("its beginning was not seen").isEmpty();
    }

    @Test
    void aSignatureMayLeaveBeforeTheOrderAsksForIt() {
        comes(decided(1), 90);
        lag.follows(List.of(share(1)), 95);
        comes(new Outcome.ReadyToSign(proven(1)), 100);
        lag.follows(List.of(share(1)), 110);
        assertThat(of(LagStep.SIGNED)).containsExactly(5);
    }

    @Test
    void aQuestionInALaterEpochIsAnother() {
        asks(1, 1, 1, 100);
        asks(1, 2, 1, 160);
        comes(decided(1), 170);
        assertThat(of(LagStep.DECIDED)).containsExactly(10);
    }

    @Test
    void aCommandIsFollowedThroughTheOrderAndGivenUpAfterASecond() {
        byte[] lost = {2};
        byte[] ordered = {3};
        lag.follows(List.of(new Effect.Submit(lost), new Effect.Submit(ordered)), 0);
        lag.ordered(ordered, List.of(), 10);
        assertThat(of(LagStep.ORDERED)).as("one at a time").isEmpty();
        lag.follows(List.of(new Effect.Submit(ordered)), 1_000_000_001);
        lag.ordered(ordered.clone(), List.of(), 1_000_000_008);
        assertThat(of(LagStep.ORDERED)).containsExactly(7);
    }
}
