package org.aspas.client.core;

import static org.aspas.client.core.SwitchTest.assertDone;
import static org.aspas.client.core.SwitchTest.increments;
import static org.aspas.client.core.SwitchTest.play;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.ScriptedWorld.Fault;
import org.aspas.client.core.ClientEvent.Switched;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Servers that do as little as they can without being left, and honest ones that must not be left for it (ADR 10). */
class DoubtAttackTest {
    /** To whom the client turns with seed 7. */
    private static final int SECOND = 2;

    /** In place of answers to updates, but not of that to the session. */
    private static final UnaryOperator<Message> NO_ANSWERS = message -> message instanceof Answer answer
                    && answer.response().message().isUpdate()
                    && answer.response().message().reference() > 0
            ? new CertificateReply(new CertificateNumber(1), null)
            : message;

    // ---- What the next server holds ----

    /** It takes longer than the pause between two questions. */
    @Test
    void aServerThatTakesLongToSayWhatItHoldsIsGivenTheRest() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.delays.put(SECOND, 2_750L);
        play.sessionDelays.put(SECOND, 0L);
        play.down.add(0);
        play.cut();
        for (int i = 0; i < 100 && play.core.server() == 0; i++) {
            play.tick();
        }
        assertThat(play.core.server()).isEqualTo(SECOND);
        updates.addAll(increments(play, 1));
        play.pass(3_000);
        assertThat(play.own().received).extracting(Request::number).containsExactly(4L);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    // ---- Repeats ----

    /** It has answered on the connection before, and certificates stand still. */
    @Test
    void aServerThatAnswersNoRepeatsIsLeft() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 5);
        play.world.spread();
        play.liars.put(0, NO_ANSWERS);
        play.cut();
        play.settle();
        updates.addAll(increments(play, 2));
        play.pass(Play.POLICY.unreachableMillis() + Play.TICK);
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    /** It answers the oldest update on each connection, and drops that before its time for the rest is over. */
    @Test
    void anAnswerToAnOlderUpdateGivesNoMoreTimeForTheRest() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.liars.put(
                0,
                message -> message instanceof Answer answer
                                && answer.response().message().reference() == 1
                        ? message
                        : NO_ANSWERS.apply(message));
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.sessionDelays.put(0, 500L);
        for (int i = 0; i < 6 && play.core.server() == 0; i++) {
            play.pass(1_000);
            play.cut();
            play.settle();
        }
        assertThat(play.why()).isEqualTo(Why.UNANSWERED);
        assertDone(play, updates);
    }

    /** It was given the update before it heard of it from the server that the client left. */
    @Test
    void aServerThatSaysThatItHoldsAnUpdateOwesNoAnswer() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 1);
        play.liars.put(SECOND, NO_ANSWERS);
        play.down.add(0);
        play.cut();
        for (int i = 0; i < 100 && play.core.server() == 0; i++) {
            play.tick();
        }
        play.pass(500);
        assertThat(play.own().received).hasSize(1);
        play.world.spread();
        play.liars.clear();
        play.cut();
        play.pass(10_000);
        assertThat(play.events(Switched.class)).hasSize(1);
        play.world.certify();
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    // ---- Confirmations ----

    /** It sees the numbers of the questions to the others, and answers them too. */
    @Test
    void theOwnServerIsNoWitnessForItself() {
        Play play = play(Fault.KEEPS_TO_ITSELF, Play.POLICY, 0);
        List<CallId> updates = increments(play, 2);
        play.ownIsWitness = true;
        play.pass(2_000);
        assertThat(play.why()).isEqualTo(Why.NOT_SPREAD);
        play.ownIsWitness = false;
        assertDone(play, updates);
    }

    /** The own server in the part of those that are faster than itself. */
    @Test
    void theOwnServerIsNotFasterThanItself() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.liars.put(0, NO_ANSWERS);
        play.down.addAll(Set.of(1, 2, 3));
        play.ownIsWitness = true;
        List<CallId> updates = increments(play, 2);
        play.pass(10_000);
        assertThat(play.events(Switched.class)).isEmpty();
        play.liars.clear();
        play.down.clear();
        play.ownIsWitness = false;
        play.cut();
        assertDone(play, updates);
    }

    /** Each one just before its own time would be over. */
    @Test
    void aServerThatDolesOutConfirmationsOneByOneIsLeft() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 20);
        play.world.spread();
        play.world.certify();
        play.pass(Play.POLICY.graceMillis() + Play.TICK);
        assertThat(play.core.newestCertificate()).as("others have shown it").isPresent();
        for (int i = 0; i < 15 && play.core.server() == 0; i++) {
            Confirmation all = play.own().confirmation().orElseThrow();
            play.push(new Confirmation(
                    all.client(), all.certificate(), all.covered().subList(i, i + 1)));
            play.tick();
        }
        assertThat(play.why()).isEqualTo(Why.WITHHELD);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    // ---- Budget and patience ----

    /** The client owes so much that it may not leave for the first reason. */
    @Test
    void aServerThatWithholdsAndThenFallsSilentIsLeft() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 40);
        play.world.servers.get(SECOND).faults.add(Fault.WITHHOLDS);
        play.down.add(0);
        play.cut();
        for (int i = 0; i < 100 && play.core.server() == 0; i++) {
            play.tick();
        }
        assertThat(play.own().received).hasSize(40);
        play.certify();
        play.pass(2_000);
        play.liars.put(SECOND, NO_ANSWERS);
        updates.addAll(increments(play, 2));
        play.pass(Play.POLICY.unreachableMillis() + Play.TICK);
        assertThat(play.events(Switched.class)).hasSize(2);
        assertThat(play.events(Switched.class).get(1).why()).isEqualTo(Why.UNANSWERED);
        play.down.clear();
        assertDone(play, updates);
    }

    private static Message noReads(Message message) {
        return message instanceof Answer answer && !answer.response().message().isUpdate()
                ? new CertificateReply(new CertificateNumber(1), null)
                : message;
    }

    /** The values that the client fetches for itself take long everywhere. */
    @Test
    void whatTheClientReadsAfterASwitchLeadsToNoOther() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 1);
        play.certify();
        updates.addAll(increments(play, 1));
        play.world.spread();
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, DoubtAttackTest::noReads);
        }
        play.down.add(0);
        play.cut();
        play.pass(200_000);
        assertThat(play.events(Switched.class)).extracting(Switched::why).containsExactly(Why.UNREACHABLE);
        play.liars.clear();
        assertDone(play, updates);
    }

    /** Calls that all servers answer too late: the client tries others more and more seldom, but it does. */
    @Test
    void whereReadsTakeTooLongEverywhereTheClientMovesSeldom() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, DoubtAttackTest::noReads);
        }
        for (int i = 0; i < 60; i++) {
            play.read("a", false);
            play.pass(5_000);
        }
        assertThat(play.events(Switched.class))
                .hasSizeBetween(2, 4)
                .extracting(Switched::why)
                .containsOnly(Why.UNANSWERED);
    }

    // ---- Late ----

    private static void reads(Play play, int count) {
        for (int i = 0; i < count && play.core.server() == 0; i++) {
            play.read("a", false);
            play.pass(1_000);
        }
    }

    @Test
    void aServerWhoseReadsAreLateForAMinuteIsLeft() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.sessionDelays.put(0, 750L);
        reads(play, 24);
        assertThat(play.events(Switched.class)).isEmpty();
        reads(play, 4);
        assertThat(play.why()).isEqualTo(Why.SLOW);
    }

    /** A few prompt answers between do not make up for the time of the late one. */
    @Test
    void aServerThatIsLateInEveryFifthAnswerIsLeft() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 20 && play.core.server() == 0; i++) {
            updates.addAll(increments(play, 4));
            play.certify();
            play.sessionDelays.put(0, 1_750L);
            updates.add(play.increment("a"));
            play.pass(1_750);
            play.sessionDelays.clear();
            play.certify();
        }
        assertThat(play.why()).isEqualTo(Why.SLOW);
        assertDone(play, updates);
    }

    /** The others are as far away as a tick is long, and the first question to each waits for its connection. */
    @Test
    void aServerThatIsLateIsLeftForOthersThatAreFarAway() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.sessionDelays.put(0, 1_000L);
        play.delayMillis = 750;
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 30 && play.core.server() == 0; i++) {
            updates.addAll(increments(play, 1));
            play.pass(1_000);
            play.certify();
            play.delayMillis = i == 24 ? 250 : play.delayMillis;
        }
        assertThat(play.why()).isEqualTo(Why.SLOW);
        play.delayMillis = 0;
        assertDone(play, updates);
    }

    /** A quarter of a second to the server, and up to a tick for the clock. */
    @Test
    void aServerThatIsAThirdOfASecondAwayIsNotLate() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        play.sessionDelays.put(0, 250L);
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
            updates.add(play.increment("a"));
            play.tick();
            play.world.spread();
        }
        assertThat(play.events(Switched.class)).isEmpty();
        play.sessionDelays.clear();
        play.settle();
        assertDone(play, updates);
    }

    // ---- Refusals, and pages of certificates that are gone ----

    private static UnaryOperator<Message> tooLarge() {
        return message -> message instanceof Answer answer
                        && !answer.response().message().isUpdate()
                ? new Refusal(answer.response().message().reference(), true, Refusal.Reason.TOO_LARGE, "so it says")
                : message;
    }

    /** As a server does that is honest: it takes what does not fit when it is given for the second time. */
    private static UnaryOperator<Message> wrongTypeOnce() {
        Set<Long> refused = new HashSet<>();
        return message -> message instanceof Answer answer
                        && answer.response().message().isUpdate()
                        && answer.response().message().reference() > 0
                        && refused.add(answer.response().message().reference())
                ? new Refusal(
                        answer.response().message().client(),
                        answer.response().message().reference(),
                        false,
                        Refusal.Reason.WRONG_TYPE,
                        "so it says")
                : message;
    }

    @Test
    void aValueThatIsTooLargeEverywhereMovesAClientOnce() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, tooLarge());
        }
        for (int i = 0; i < 20; i++) {
            play.read("a", false);
            play.pass(1_000);
        }
        assertThat(play.seen(Effect.Failed.class)).hasSize(20);
        assertThat(play.events(Switched.class)).hasSize(1);
        play.pass(600_000);
        play.read("a", false);
        play.pass(1_000);
        assertThat(play.events(Switched.class)).as("it may have become smaller").hasSize(2);
    }

    @Test
    void aKeyOfAnotherTypeMovesAClientOnce() {
        Play play = new Play(Play.POLICY, 0, 7);
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, wrongTypeOnce());
        }
        play.settle();
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            updates.addAll(increments(play, 1));
            play.pass(500);
        }
        assertThat(play.events(Switched.class)).hasSize(1);
        assertDone(play, updates);
    }

    /** Nobody waits to hear of it: its number is filled where it is refused, and no server is left for it. */
    @Test
    void whatAnEarlierStartLeftAndDoesNotFitMovesNobody() {
        Sealer sealer = new Sealer(ScriptedSession.CLIENT_KEY, ScriptedSession.DEPLOYMENT);
        ClientId earlier = new ClientId(ScriptedSession.CLIENT_KEY.publicKey(), 0, 77);
        Request left = new Request(earlier, 1, "a", "pn-counter", Operation.of("increment", Value.of(1)));
        ClientState record = new ClientState(CertificateNumber.NONE, List.of(sealer.<ClientSigned>seal(left)));
        Play play = new Play(Play.POLICY, 0, 7, record);
        play.liars.put(0, wrongTypeOnce());
        play.settle();
        assertThat(play.world.servers.get(0).received)
                .as("given, refused, and given again")
                .containsExactly(left, left);
        assertThat(play.events(Switched.class)).isEmpty();
    }

    private static CallId page(Play play, long call, CertificateNumber certificate) {
        play.step(new Event.ReadAsked(new CallId(call), "a", "aw-set", true, ReadPart.page(Hash.ZERO, certificate)));
        return new CallId(call);
    }

    @Test
    void aPageOfACertificateThatIsGoneBlamesNobody() {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        List<CallId> updates = increments(play, 1);
        play.certify();
        CallId unknown = page(play, 1_000_001, new CertificateNumber(9));
        play.settle();
        play.sessionDelays.put(0, 500L);
        CallId forgotten = page(play, 1_000_002, new CertificateNumber(1));
        for (int i = 0; i < 40; i++) {
            play.world.certify();
            play.push(play.own().confirmation().orElseThrow());
        }
        play.pass(1_000);
        assertThat(play.events(Switched.class)).isEmpty();
        assertThat(play.seen(Effect.Failed.class))
                .extracting(Effect.Failed::call)
                .containsExactly(unknown, forgotten);
        assertThat(play.seen(Effect.Failed.class))
                .extracting(Effect.Failed::failure)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(
                                Failure.Refused.class,
                                refused -> assertThat(refused.reason()).isEqualTo(Refusal.Reason.MOVED_ON)));
        assertThat(play.confirmed()).isEqualTo(updates);
    }
}
