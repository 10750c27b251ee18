package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Appserver 1 of four measures its own entries by what it is told and what it sends. */
class AppServerLagTest {
    private static final int SELF = 1;
    private static final List<Hash> ROOTS = List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO);

    private final AppServerLag lag = new AppServerLag(SELF, new Quorums(1, 1), null);

    private static <M extends Message> Signed<M> signed(M message) {
        return new Signed<>(message, new byte[0], new byte[0]);
    }

    private static VersionVector own(long size) {
        return VersionVector.zero(4).with(SELF, size).with(3, 100);
    }

    private static CertificateContent content(long size) {
        return new CertificateContent(
                Hash.ZERO, CertificateNumber.FIRST, Hash.ZERO, own(size), ROOTS, Hash.ZERO, List.of());
    }

    private void sends(long now, Effect... effects) {
        lag.follows(List.of(effects), now);
    }

    private static Effect answer(int origin, long sequence) {
        Response response = new Response(
                origin,
                sequence,
                ClientId.NOBODY,
                1,
                Value.of(1),
                new Dot(origin, sequence),
                Hash.ZERO,
                own(sequence),
                Hash.ZERO,
                CertificateNumber.NONE,
                Hash.ZERO);
        return new Effect.ToClient(new ConnectionId(1), new Answer(signed(response), null, null));
    }

    private static Effect batch(int origin, long size) {
        return new Effect.ToNode(
                NodeId.appserver(0), new Batch(signed(new Head(origin, size, Hash.ZERO)), List.of(new byte[1])));
    }

    private static Effect report(long size) {
        return new Effect.ToNodeSigned(NodeId.bftserver(0), signed(new VertObft(SELF, own(size), List.of())));
    }

    private static Effect stable(long size) {
        return new Effect.ToNodeSigned(
                NodeId.bftserver(0),
                signed(new Stable(SELF, Epoch.NONE, 1, Hash.ZERO, own(size), ROOTS, own(size), ROOTS, Hash.ZERO)));
    }

    private static Effect confirmation(long size) {
        return new Effect.ToClient(
                new ConnectionId(1),
                new Confirmation(ClientId.NOBODY, new Certificate(content(size), new byte[0], List.of()), List.of()));
    }

    private void asks(int replica, long size, long now) {
        BftReqStable question =
                new BftReqStable(replica, Epoch.NONE, 1, Hash.ZERO, CertificateNumber.FIRST, own(size), List.of());
        lag.happens(new Event.NodeFrame(NodeId.bftserver(replica), new Frame.Sealed(signed(question))), now);
    }

    private void signs(int replica, long size, long now) {
        Share share = new Share(replica, signed(content(size)));
        lag.happens(new Event.NodeFrame(NodeId.bftserver(replica), new Frame.Plain(share)), now);
    }

    private Map<LagStep, List<Long>> measured() {
        Map<LagStep, List<Long>> all = new TreeMap<>();
        for (LagStep step : LagStep.values()) {
            List<Long> durations = new ArrayList<>();
            for (long one : lag.durations().since(step, Long.MIN_VALUE / 2)) {
                durations.add(one);
            }
            if (!durations.isEmpty()) {
                all.put(step, durations);
            }
        }
        return all;
    }

    private static Map<LagStep, List<Long>> steps(long... durations) {
        Map<LagStep, List<Long>> all = new TreeMap<>();
        long whole = 0;
        for (int step = 0; step < durations.length; step++) {
            all.put(LagStep.values()[step], List.of(durations[step]));
            whole += durations[step];
        }
        all.put(LagStep.WHOLE, List.of(whole));
        return all;
    }

    @Test
    void eachStepIsFromTheEndOfTheOneBeforeAndAllAddUpToTheWhole() {
        sends(100, answer(SELF, 7));
        sends(105, batch(SELF, 7), report(6));
        sends(120, report(7));
        asks(0, 7, 150);
        asks(2, 7, 160);
        sends(161, stable(7));
        signs(0, 7, 200);
        signs(1, 7, 210);
        signs(3, 7, 230);
        assertThat(measured()).isEmpty();
        sends(233, confirmation(7));
        assertThat(measured()).isEqualTo(steps(5, 15, 40, 1, 69, 3));
    }

    @Test
    void neitherAStrangersWordNorOneBftserversCounts() {
        sends(100, answer(SELF, 7), answer(3, 9));
        sends(101, batch(SELF, 7), batch(3, 8));
        asks(0, 99, 110);
        asks(0, 100, 111);
        signs(2, 99, 112);
        signs(2, 100, 113);
        lag.happens(new Event.NodeFrame(NodeId.appserver(0), new Frame.Plain(new Share(0, signed(content(7))))), 114);
        sends(150, confirmation(7));
        // No b+1 asked, and no 2b+1 signed: whatever led to the confirmation, the steps before it end with it.
        assertThat(measured()).isEqualTo(steps(1, 49, 0, 0, 0, 0));
    }

    @Test
    void aReportThatWasNotWaitedForEndsWithTheQuestion() {
        sends(100, answer(SELF, 7), batch(SELF, 7));
        asks(0, 7, 140);
        asks(1, 7, 145);
        sends(150, report(7), stable(7));
        sends(180, confirmation(7));
        assertThat(measured()).isEqualTo(steps(0, 45, 0, 5, 30, 0));
    }

    @Test
    void oneEntryOfEachHeadIsFollowed() {
        for (long sequence = 1; sequence <= 50; sequence++) {
            sends(sequence, answer(SELF, sequence));
            sends(sequence, answer(SELF, sequence)); // Given again: that was no new answer.
            if (sequence % 10 == 0) {
                sends(sequence, batch(SELF, sequence), batch(SELF, sequence));
            }
        }
        sends(60, confirmation(30));
        assertThat(measured().get(LagStep.WHOLE)).hasSize(3);
        sends(61, confirmation(50));
        assertThat(measured().get(LagStep.WHOLE))
                .hasSize(5)
                .allSatisfy(whole -> assertThat(whole).isBetween(11L, 59L));
    }

    @Test
    void anAnswerThatLeavesAfterTheHeadOfItsEntryWasBroadcastAtOnce() {
        sends(100, batch(SELF, 7));
        sends(110, answer(SELF, 7));
        sends(120, confirmation(7));
        assertThat(measured()).isEqualTo(steps(0, 10, 0, 0, 0, 0));
    }

    @Test
    void whatIsNeverConfirmedTakesBoundedMemory() {
        for (long sequence = 1; sequence <= 5000; sequence++) {
            sends(sequence, answer(SELF, sequence), batch(SELF, sequence));
        }
        sends(6000, confirmation(5000));
        assertThat(measured().get(LagStep.WHOLE)).hasSize(1024);
    }
}
