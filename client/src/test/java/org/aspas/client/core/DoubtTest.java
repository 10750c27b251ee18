package org.aspas.client.core;

import static org.aspas.client.core.SwitchTest.assertDone;
import static org.aspas.client.core.SwitchTest.increments;
import static org.aspas.client.core.SwitchTest.play;
import static org.aspas.client.core.SwitchTest.refusing;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.client.ScriptedWorld.Fault;
import org.aspas.client.core.ClientEvent.Switched;
import org.aspas.client.core.ClientEvent.Why;
import org.junit.jupiter.api.Test;

/** When a client doubts a server that is slow, silent, or withholds, and what that costs (ADR 10). */
class DoubtTest {
    /** To whom the client turns with seed 7. */
    private static final int SECOND = 2;

    private static final Policy INSPECTING = new Policy(true, 1_000, 2_000, 0, 1, 10_000);

    @Test
    void leavesASilentServer() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.world.servers.get(0).faults.add(Fault.SILENT);
        List<CallId> updates = increments(play, 3);
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertThat(play.answered()).as("no certificate is needed for it").isEqualTo(updates);
        assertDone(play, updates);
    }

    /** A new connection starts no time again. */
    @Test
    void leavesASilentServerThatDropsItsConnections() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.liars.put(
                0,
                message -> message instanceof Answer answer
                                && answer.response().message().reference() > 0
                        ? new CertificateReply(new CertificateNumber(1), null)
                        : message);
        List<CallId> updates = increments(play, 3);
        for (int i = 0; i < 10 && play.core.server() == 0; i++) {
            play.pass(750);
            play.cut();
            play.settle();
        }
        assertThat(play.why()).isIn(Why.UNANSWERED, Why.UNREACHABLE);
        assertDone(play, updates);
    }

    /** Each answer takes nearly twice as long as the last one. */
    @Test
    void leavesAServerThatIsSlowerAndSlower() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 1);
        play.delays.put(0, 1_500L);
        for (int i = 0; i < 8 && play.core.server() == 0; i++) {
            updates.add(play.increment("a"));
            for (long passed = 0; passed < play.delays.get(0); passed += Play.TICK) {
                play.tick();
                play.world.spread();
            }
            play.delays.put(0, play.delays.get(0) * 19 / 10);
        }
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertDone(play, updates);
    }

    @Test
    void leavesASilentServerOnlyWhenAnotherOneAnswers() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.world.servers.get(0).faults.add(Fault.SILENT);
        play.down.addAll(List.of(1, 2, 3));
        List<CallId> updates = increments(play, 3);
        play.pass(30_000);
        assertThat(play.events(Switched.class)).isEmpty();
        play.down.removeAll(List.of(1, 2));
        play.pass(10_000);
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertThat(play.core.server()).as("one that answers").isIn(1, 2);
        assertDone(play, updates);
    }

    /** Ten times the grace time for everything, at every server, and a call every half second. */
    @Test
    void nobodyIsLeftWhereAllAreSlow() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.delayMillis = 10_000;
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            updates.add(play.increment("a"));
            play.pass(500);
        }
        assertThat(play.events(Switched.class)).isEmpty();
        play.world.spread();
        play.delayMillis = 0;
        play.settle();
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).isEmpty();
    }

    @Test
    void fewUpdatesAreOnTheirWayToASlowServer() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.delayMillis = 10_000;
        for (int i = 0; i < 100; i++) {
            play.increment("a");
            play.pass(250);
        }
        long sent = play.seen(Effect.Send.class).stream()
                .filter(DoubtTest::isRequest)
                .count();
        assertThat(sent).as("of 100 calls in 25 s, with answers after 10 s").isBetween(3L, 12L);
    }

    @Test
    void whatTheNextServerHoldsIsNotEnteredAgain() {
        Play play = play(Fault.WITHHOLDS, Play.POLICY, 0);
        List<CallId> updates = increments(play, 5);
        play.certify();
        updates.addAll(increments(play, 3));
        play.world.spread();
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.WITHHELD);
        play.certify();
        assertThat(play.confirmed()).isEqualTo(updates);
        updates.addAll(increments(play, 1));
        assertThat(play.own().received).extracting(Request::number).containsExactly(9L);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    @Test
    void whatTheNextServerHoldsAndDoesNotProveIsGivenToIt() {
        Play play = play(Fault.WITHHOLDS, Play.POLICY, 0);
        List<CallId> updates = increments(play, 5);
        play.certify();
        play.world.provesOnlyItsOwn = true;
        assertDone(play, updates);
        assertThat(play.own().received).hasSize(5);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    @Test
    void whatTheNextServerHoldsOnlyBeyondACutIsGivenToIt() {
        Play play = play(Fault.WITHHOLDS, Play.POLICY, 0);
        List<CallId> updates = increments(play, 2);
        play.certify();
        updates.addAll(increments(play, 3));
        play.world.spread();
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.WITHHELD);
        assertThat(play.own().received).isEmpty();
        play.world.exclude(0);
        play.certify();
        play.pass(500);
        assertThat(play.own().received).extracting(Request::number).containsExactly(3L, 4L, 5L);
        assertDone(play, updates);
    }

    /** The other half is cut off from this one as this one is from it. */
    @Test
    void nobodySwapsSidesBetweenTwoHalves() {
        Play play = new Play(INSPECTING, 0, 1);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spreadAmong(Set.of(0, 1));
        play.pass(30_000);
        assertThat(play.events(Switched.class)).isEmpty();
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).isEmpty();
    }

    @Test
    void aProofThatIsOnItsWayIsWaitedFor() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.world.certify();
        play.pass(1_250);
        assertThat(play.core.newestCertificate()).as("others have shown it").isPresent();
        play.push(play.own().confirmation().orElseThrow());
        play.settle();
        assertThat(play.confirmed()).isEqualTo(updates);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).isEmpty();
    }

    @Test
    void aServerThatIsBusyForLongIsLeft() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.liars.put(0, refusing(Refusal.Reason.BUSY));
        List<CallId> updates = increments(play, 3);
        play.pass(Play.POLICY.unreachableMillis() - Play.TICK);
        assertThat(play.events(Switched.class)).isEmpty();
        play.pass(2 * Play.POLICY.unreachableMillis());
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertDone(play, updates);
    }

    @Test
    void aServerThatAnswersNoReadsIsLeftInTime() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.world.servers.get(0).faults.add(Fault.SILENT);
        CallId read = play.read("a", false);
        play.pass(59_000);
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertThat(play.events(Switched.class)).hasSize(1);
        assertThat(play.seen(Effect.ReadDone.class))
                .extracting(Effect.ReadDone::call)
                .containsExactly(read);
    }

    private static boolean isRequest(Effect.Send send) {
        return send.frame() instanceof Frame.Sealed sealed && sealed.signed().message() instanceof Request;
    }

    // ---- Late for ever ----

    /** A call every quarter of a second. */
    private static List<CallId> calls(Play play, long millis) {
        List<CallId> updates = new ArrayList<>();
        for (long passed = 0; passed < millis; passed += Play.TICK) {
            updates.add(play.increment("a"));
            play.tick();
            play.world.spread();
        }
        return updates;
    }

    @Test
    void leavesAServerThatIsLateForAMinuteWhenOthersAreMuchFaster() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.sessionDelays.put(0, 750L);
        List<CallId> updates = calls(play, 12 * Play.POLICY.unreachableMillis());
        assertThat(play.events(Switched.class)).isEmpty();
        updates.addAll(calls(play, 3_000));
        assertThat(play.why()).isEqualTo(Why.SLOW);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
        assertThat(play.world.complaints).isEmpty();
    }

    /** Three prompt answers after each late one make nobody prompt. */
    @Test
    void leavesAServerThatIsPromptNowAndThen() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 30 && play.core.server() == 0; i++) {
            play.sessionDelays.put(0, 750L);
            updates.addAll(calls(play, 1_000));
            play.sessionDelays.clear();
            play.settle();
        }
        assertThat(play.why()).isEqualTo(Why.SLOW);
        assertDone(play, updates);
    }

    @Test
    void nobodyIsLeftForHavingBeenLate() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.sessionDelays.put(0, 750L);
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            updates.addAll(increments(play, 1));
            play.pass(1_000);
            play.certify();
        }
        play.pass(60_000);
        assertThat(play.events(Switched.class)).isEmpty();
        assertDone(play, updates);
    }

    @Test
    void nobodyIsLeftForBeingLateWhereNobodyIsMuchFaster() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.delayMillis = 750;
        List<CallId> updates = calls(play, 60_000);
        assertThat(play.events(Switched.class)).isEmpty();
        play.delayMillis = 0;
        play.settle();
        assertDone(play, updates);
    }

    /** Updates are late at all servers, and all answer other questions at once: the client tries others more and more seldom. */
    @Test
    void whereUpdatesAreLateEverywhereTheClientMovesSeldom() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        for (int server = 0; server < 4; server++) {
            play.sessionDelays.put(server, 750L);
        }
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            updates.addAll(increments(play, 1));
            play.pass(750);
            play.certify();
        }
        assertThat(play.events(Switched.class))
                .hasSizeBetween(2, 4)
                .extracting(Switched::why)
                .containsOnly(Why.SLOW);
        play.sessionDelays.clear();
        play.settle();
        assertDone(play, updates);
    }

    // ---- Whoever is better ----

    /** Better is who answers in half the time for which the own server is waited for, where nobody is prompt. */
    @Test
    void leavesASilentServerAlsoWhenTheOthersAreSlow() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.world.servers.get(0).faults.add(Fault.SILENT);
        play.delayMillis = 4_000;
        List<CallId> updates = increments(play, 3);
        play.pass(8_000);
        assertThat(play.events(Switched.class)).isEmpty();
        play.pass(5_000);
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        play.delayMillis = 0;
        play.settle();
        assertDone(play, updates);
    }

    // ---- Connections that break ----

    /** The next server holds an update and does not spread it: that it says so on each connection gives it no more time. */
    @Test
    void aNewConnectionGivesNoMoreTimeToSpread() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.world.servers.get(0).faults.add(Fault.KEEPS_TO_ITSELF);
        play.settle();
        List<CallId> updates = increments(play, 1);
        play.down.add(0);
        play.cut();
        play.world.spreadAmong(Set.of(0, SECOND));
        for (int i = 0; i < 20 && play.core.server() == 0; i++) {
            play.pass(500);
        }
        assertThat(play.core.server()).isEqualTo(SECOND);
        for (int i = 0; i < 10 && play.core.server() == SECOND; i++) {
            play.pass(750);
            play.cut();
            play.settle();
        }
        assertThat(play.events(Switched.class).get(1).why()).isEqualTo(Why.NOT_SPREAD);
        play.down.clear();
        assertDone(play, updates);
    }

    @Test
    void aNewConnectionGivesNoMoreTimeForARead() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.liars.put(
                0,
                message -> message instanceof Answer answer
                                && !answer.response().message().isUpdate()
                        ? new CertificateReply(new CertificateNumber(1), null)
                        : message);
        CallId read = play.read("a", false);
        for (int i = 0; i < 3; i++) {
            play.pass(14_000);
            play.cut();
            play.settle();
        }
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertThat(play.seen(Effect.ReadDone.class))
                .extracting(Effect.ReadDone::call)
                .containsExactly(read);
    }

    @Test
    void aReadThatNobodyWouldAnswerMovesNobody() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.world.servers.get(0).faults.add(Fault.SILENT);
        play.down.addAll(List.of(1, 2, 3));
        play.read("a", false);
        play.pass(65_000);
        assertThat(play.seen(Effect.Failed.class)).hasSize(1);
        assertThat(play.events(Switched.class)).isEmpty();
    }

    // ---- What the next server holds ----

    @Test
    void theNextServerIsAskedAboutAnyNumberOfUpdates() {
        int count = 2 * AskStanding.MAX_UPDATES + 10;
        Play play = new Play(Play.POLICY, 0, 7, ClientState.FRESH, 4_000);
        play.settle();
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            updates.addAll(increments(play, 1));
        }
        play.world.spread();
        play.down.add(0);
        play.cut();
        play.pass(5_000);
        assertThat(play.why()).isEqualTo(Why.UNREACHABLE);
        assertThat(play.own().received).isEmpty();
        updates.addAll(increments(play, 1));
        assertThat(play.own().received).extracting(Request::number).containsExactly(count + 1L);
        assertDone(play, updates);
    }

    /** It answers the first question about what it holds on each connection, and never the second one. */
    @Test
    void aServerThatNeverSaysAllThatItHoldsIsLeft() {
        Play play = new Play(Play.POLICY, 0, 7, ClientState.FRESH, 4_000);
        play.settle();
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < AskStanding.MAX_UPDATES + 10; i++) {
            updates.addAll(increments(play, 1));
        }
        play.world.spread();
        play.down.add(0);
        play.cut();
        play.standings = 1;
        for (int i = 0; i < 40 && play.events(Switched.class).size() < 2; i++) {
            play.pass(500);
            play.standings = 1;
            play.cut();
            play.settle();
        }
        assertThat(play.events(Switched.class)).hasSizeGreaterThan(1);
        assertThat(play.events(Switched.class).get(1).why()).isIn(Why.UNANSWERED, Why.UNREACHABLE);
        play.standings = Integer.MAX_VALUE;
        play.down.clear();
        assertDone(play, updates);
    }
}
