package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

class BftServerLagTest {
    private static final byte[] COMMAND = {1};
    private static final Sealer SEALER = new Sealer(SigningKey.of(new byte[32]), Hash.ZERO);

    private final BftServerLag lag = new BftServerLag(null);

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

    private static byte[] accept(long number, long attempt) {
        return Codec.encode(SEALER.seal(new Accept(0, new CertificateNumber(number), attempt, Hash.ZERO)));
    }

    private void accepts(long number, long now) {
        lag.follows(List.of(new Effect.Submit(accept(number, 1))), now);
    }

    private void signs(long number, long now) {
        lag.follows(List.of(share(number)), now);
    }

    private long[] of(LagStep step) {
        return lag.durations().since(step, Long.MIN_VALUE / 2);
    }

    @Test
    void eachStepOfACertificateIsMeasuredOnce() {
        asks(1, 1, 1, 100);
        asks(1, 1, 2, 130);
        comes(decided(1), 140);
        accepts(1, 142);
        comes(new Outcome.Accepted(proven(1)), 155);
        comes(new Outcome.ReadyToSign(proven(1)), 175);
        lag.follows(List.of(new Effect.ToAppservers(COMMAND), share(7)), 176);
        signs(1, 178);
        signs(1, 179);
        assertThat(of(LagStep.QUESTION)).isEmpty();
        assertThat(of(LagStep.DECIDED))
                .as("a later round goes on with the question")
                .containsExactly(40);
        assertThat(of(LagStep.ACCEPTED)).containsExactly(15);
        assertThat(of(LagStep.COMMITTED)).containsExactly(20);
        assertThat(of(LagStep.SIGNED)).containsExactly(36);
        asks(2, 2, 1, 200);
        assertThat(of(LagStep.QUESTION)).containsExactly(25);
    }

    @Test
    void aSignatureThatWaitsForTheDiskIsMeasuredThoughTheNextQuestionIsAsked() {
        comes(decided(1), 90);
        accepts(1, 92);
        comes(new Outcome.ReadyToSign(proven(1)), 100);
        asks(2, 2, 1, 101);
        signs(1, 150);
        assertThat(of(LagStep.SIGNED)).containsExactly(58);
        assertThat(of(LagStep.COMMITTED)).as("its beginning was not seen").isEmpty();
    }

    /** The ACCEPT leaves before the order of the answers, and so may the signature. */
    @Test
    void aSignatureMayLeaveBeforeTheOrderAsksForIt() {
        accepts(1, 80);
        signs(1, 85);
        comes(decided(1), 90);
        comes(new Outcome.ReadyToSign(proven(1)), 100);
        signs(1, 110);
        assertThat(of(LagStep.SIGNED)).containsExactly(5);
    }

    @Test
    void aRepeatedAcceptChangesNothing() {
        accepts(1, 80);
        accepts(1, 90);
        lag.follows(List.of(new Effect.Submit(accept(1, 2))), 95);
        signs(1, 100);
        assertThat(of(LagStep.SIGNED)).containsExactly(20);
    }

    /** Its share left already, and one that leaves again tells nothing. */
    @Test
    void anAcceptOfWhatIsSignedBeginsNothing() {
        accepts(2, 80);
        signs(2, 85);
        accepts(2, 90);
        signs(2, 95);
        accepts(1, 100);
        signs(1, 105);
        assertThat(of(LagStep.SIGNED)).containsExactly(5);
        accepts(3, 110);
        signs(3, 117);
        assertThat(of(LagStep.SIGNED)).as("the next one does").containsExactly(5, 7);
    }

    /** As after a state transfer. */
    @Test
    void aSignatureWithoutAnAcceptOfItsNumberIsNotMeasured() {
        signs(1, 80);
        comes(decided(1), 85);
        signs(1, 90);
        accepts(2, 95);
        signs(1, 100);
        assertThat(of(LagStep.SIGNED)).isEmpty();
        signs(2, 103);
        assertThat(of(LagStep.SIGNED)).containsExactly(8);
    }

    /** Only the own words are submitted: those of others come out of the order. */
    @Test
    void whatIsOrderedOrIsNoAcceptBeginsNoSignature() {
        lag.ordered(accept(1, 1), List.of(), 80);
        lag.follows(List.of(new Effect.Submit(COMMAND)), 85);
        signs(1, 90);
        assertThat(of(LagStep.SIGNED)).isEmpty();
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
