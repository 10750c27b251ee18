package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.client.ScriptedWorld;
import org.aspas.client.ScriptedWorld.Fault;
import org.aspas.client.core.ClientEvent.Convicted;
import org.aspas.client.core.ClientEvent.Resubmitted;
import org.aspas.client.core.ClientEvent.Revoked;
import org.aspas.client.core.ClientEvent.RolledBack;
import org.aspas.client.core.ClientEvent.Switched;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client does when its server, or another one, is not what it should be (the protocol page, §6-§9). */
class SwitchTest {
    private static final Policy INSPECTING = new Policy(true, 1_000, 2_000, 0, 1, 10_000);

    static Play play(Fault fault, Policy policy, long tolerance) {
        Play play = new Play(policy, tolerance, 7);
        play.world.servers.get(0).faults.add(fault);
        play.settle();
        return play;
    }

    /** What every play ends in: all updates confirmed, each counted once, nobody correct accused. */
    static void assertDone(Play play, List<CallId> updates) {
        for (int i = 0; i < 200 && play.core.unconfirmed() + play.core.waiting() > 0; i++) {
            play.world.spread();
            play.pass(1_000);
            play.certify();
        }
        assertThat(play.confirmed()).containsExactlyElementsOf(updates);
        assertThat(play.answered()).containsExactlyElementsOf(updates);
        assertThat(play.seen(Effect.Failed.class)).isEmpty();
        assertThat(play.world.certified("a")).isEqualTo(updates.size());
        assertThat(play.world.equivocated()).isFalse();
        List<ClientEvent.Confirmed> upTo = play.events(ClientEvent.Confirmed.class);
        assertThat(upTo.get(upTo.size() - 1).number()).isEqualTo(updates.size());
    }

    static List<CallId> increments(Play play, int count) {
        List<CallId> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(play.increment("a"));
        }
        play.settle();
        return calls;
    }

    /** It reads once a second, while there is a certificate a second; its server gets none for so many of them. */
    private static Play reading(int missing) {
        Play play = new Play(Play.POLICY, 0, 7);
        play.settle();
        increments(play, 1);
        play.certify();
        assertThat(play.confirmed()).hasSize(1);
        ScriptedWorld.Server first = play.own();
        long newest = play.world.certificates.lastKey();
        for (int second = 0; second < 60; second++) {
            play.world.certify();
            first.newestNumber = second < missing ? newest : Long.MAX_VALUE;
            play.read("a", true);
            play.pass(1_000);
        }
        return play;
    }

    /** Each certified value that its server gives is genuine, and old: nothing but others' certificates tells a reader. */
    @Test
    void aReaderLeavesAServerWhoseCertificatesFellBehind() {
        Play play = reading(60);
        assertThat(play.why()).isEqualTo(Why.STALE);
        assertThat(play.events(Switched.class)).hasSize(1);
        assertThat(play.core.newestCertificate().orElseThrow().number().value())
                .isGreaterThanOrEqualTo(play.world.certificates.lastKey() - 1);
        assertThat(play.seen(Effect.Failed.class)).isEmpty();
    }

    /** A comparison falls into these seconds, and finds it behind; it has caught up before it is asked again. */
    @Test
    void aServerThatCatchesUpInTimeIsNotLeft() {
        assertThat(reading(13).events(Switched.class)).isEmpty();
        assertThat(reading(0).events(Switched.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 0})
    void leavesAServerThatWithholdsCertificates(long tolerance) {
        Play play = play(Fault.WITHHOLDS, Play.POLICY, tolerance);
        List<CallId> updates = increments(play, 5);
        play.certify();
        play.certify();
        assertThat(play.confirmed()).isEmpty();
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.WITHHELD);
        assertDone(play, updates);
        assertThat(play.world.complaints).isEmpty();
    }

    /** The server that was left has the update at another place of the certified log than it answered: it had two logs. */
    @Test
    void aConfirmationAtAnEarlierServersOtherPlaceBlamesNobody() {
        Play play = play(Fault.WITHHOLDS, Play.POLICY, 0);
        List<CallId> updates = increments(play, 3);
        play.certify();
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.WITHHELD);
        play.world.spread();
        play.world.certify();
        Confirmation honest = play.own().confirmation().orElseThrow();
        List<Confirmation.Covered> elsewhere = honest.covered().stream()
                .map(one -> new Confirmation.Covered(
                        one.number(), new Dot(0, one.dot().sequence() + 1), one.proof()))
                .toList();
        assertThat(elsewhere).isNotEmpty();
        play.push(new Confirmation(honest.client(), honest.certificate(), elsewhere));
        play.settle();
        assertThat(play.seen(Effect.Noticed.class))
                .noneMatch(effect -> effect.notice() instanceof Notice.VerificationFailed);
        assertThat(play.events(Switched.class)).hasSize(1);
        assertDone(play, updates);
        assertThat(play.events(Switched.class)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DROPS", "KEEPS_TO_ITSELF"})
    void leavesAServerThatDoesNotSpreadWhatItAcknowledged(Fault fault) {
        for (long tolerance : new long[] {1, 0}) {
            Play play = play(fault, Play.POLICY, tolerance);
            List<CallId> updates = increments(play, 1);
            play.certify();
            play.pass(1_500);
            assertThat(play.why()).isEqualTo(Why.NOT_SPREAD);
            assertDone(play, updates);
            assertThat(play.events(Convicted.class)).isEmpty();
        }
    }

    @Test
    void waitsWhenTheBackEndIsSlow() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.pass(60_000);
        assertThat(play.events(Switched.class)).isEmpty();
        assertThat(play.seen(Effect.ToServer.class).size())
                .as("questions in a minute")
                .isBetween(6, 60);
        assertDone(play, updates);
    }

    @Test
    void waitsWhenNobodyElseCanBeReached() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.down.addAll(List.of(1, 2, 3));
        List<CallId> updates = increments(play, 3);
        play.pass(30_000);
        assertThat(play.events(Switched.class)).isEmpty();
        play.down.clear();
        assertDone(play, updates);
    }

    @Test
    void oneLiarAmongTheOthersMovesNobody() {
        Play play = new Play(INSPECTING, 0, 3);
        play.world.servers.get(2).faults.add(Fault.LIES_ABOUT_OTHERS);
        play.settle();
        List<CallId> updates = increments(play, 5);
        play.world.spread();
        play.pass(30_000);
        assertThat(play.events(Switched.class)).isEmpty();
        assertThat(play.world.complaints).isEmpty();
        assertDone(play, updates);
    }

    @Test
    void leavesAServerThatCannotBeReached() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.down.add(0);
        play.cut();
        play.settle();
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.UNREACHABLE);
        assertThat(play.events(Resubmitted.class).get(0).numbers()).containsExactly(1L, 2L, 3L);
        assertDone(play, updates);
        assertThat(play.world.complaints).isEmpty();
    }

    @Test
    void provesAWrongAnswerAndNeverReturns() {
        Play play = play(Fault.WRONG_VALUE, INSPECTING, 0);
        List<CallId> updates = increments(play, 1);
        play.world.spread();
        play.pass(500);
        assertThat(play.world.complaints).isNotEmpty().allMatch(WrongAnswer.class::isInstance);
        assertThat(play.events(Convicted.class)).extracting(Convicted::server).containsExactly(0);
        assertThat(play.core.server()).isNotZero();
        assertDone(play, updates);
        for (int i = 0; i < 10; i++) {
            play.down.add(play.core.server());
            play.cut();
            play.pass(5_000);
            play.down.clear();
            assertThat(play.core.server()).isNotZero();
        }
    }

    @Test
    void provesAWrongLocalRead() {
        Play play = play(Fault.WRONG_VALUE, INSPECTING, 0);
        play.read("a", false);
        play.settle();
        play.world.spread();
        play.pass(500);
        assertThat(play.events(Convicted.class)).extracting(Convicted::server).containsExactly(0);
    }

    @Test
    void f1ThatCannotSayMakeItLeaveAndBlameNobody() {
        Play play = play(Fault.KEEPS_TO_ITSELF, INSPECTING, 0);
        CallId read = play.read("a", false);
        play.settle();
        play.pass(5_000);
        assertThat(play.seen(Effect.ReadDone.class))
                .extracting(Effect.ReadDone::call)
                .contains(read);
        assertThat(play.why()).isEqualTo(Why.NOT_INSPECTABLE);
        assertThat(play.world.complaints).isEmpty();
        assertThat(InspectReply.Outcome.NOT_DELIVERED.unknown()).isTrue();
    }

    @Test
    void provesABadCertificate() {
        Play play = play(Fault.BAD_CERTIFICATE, Play.POLICY, 0);
        play.world.certify();
        List<CallId> updates = increments(play, 2);
        assertThat(play.why()).isEqualTo(Why.NOT_VERIFIED);
        assertThat(play.events(Convicted.class)).extracting(Convicted::server).containsExactly(0);
        assertDone(play, updates);
    }

    @Test
    void rollsBackWhenItsServerIsExcluded() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = new ArrayList<>(increments(play, 2));
        play.certify();
        updates.addAll(increments(play, 3));
        play.world.exclude(0);
        play.certify();
        assertThat(play.events(Convicted.class)).extracting(Convicted::server).containsExactly(0);
        assertThat(play.events(Revoked.class).get(0).updates())
                .extracting(ClientEvent.RevokedUpdate::number)
                .containsExactly(3L, 4L, 5L);
        assertThat(play.why()).isEqualTo(Why.CONVICTED);
        assertThat(play.events(Resubmitted.class).get(0).numbers()).containsExactly(3L, 4L, 5L);
        RolledBack back = play.events(RolledBack.class).get(0);
        assertThat(back.complete()).isTrue();
        assertThat(back.values()).extracting(ClientEvent.CertifiedValue::value).containsExactly(Value.of(2));
        assertDone(play, updates);
    }

    @Test
    void aClientWithoutARecordAsksTheOthersForTheNewestCertificate() {
        Play play = new Play(new Policy(true, 1_000, 2_000, 2_000, 0, 0), 0, 1);
        increments(play, 1);
        play.certify();
        Play fresh = new Play(new Policy(true, 1_000, 2_000, 2_000, 0, 0), 0, 1);
        fresh.world.certificates.putAll(play.world.certificates);
        fresh.read("b", true);
        fresh.down.addAll(List.of(1, 2, 3));
        fresh.settle();
        assertThat(fresh.core.pendingReads()).as("waits for the others").isEqualTo(1);
        fresh.down.clear();
        Play asking = new Play(new Policy(true, 1_000, 2_000, 2_000, 0, 0), 0, 1);
        asking.world.certificates.putAll(play.world.certificates);
        asking.settle();
        asking.tick();
        assertThat(asking.core.newestCertificate()).isEqualTo(play.world.newest());
    }

    @Test
    void oneServerThatRefusesIsLeftAndF1EndTheClient() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.strict.add(0);
        List<CallId> updates = increments(play, 2);
        assertThat(play.why()).isEqualTo(Why.REFUSED);
        assertDone(play, updates);
        Play refused = new Play(Play.POLICY, 0, 1);
        refused.strict.addAll(List.of(0, 1, 2, 3));
        refused.settle();
        assertThat(refused.seen(Effect.Ended.class))
                .containsExactly(new Effect.Ended(new Failure.Refused(Refusal.Reason.UNKNOWN_CLIENT, "not admitted")));
    }

    @Test
    void aServerThatGreetsAsAnotherIsLeft() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.strangers.add(0);
        play.cut();
        play.settle();
        assertThat(play.seen(Effect.Ended.class)).isEmpty();
        assertThat(play.why()).isEqualTo(Why.NOT_VERIFIED);
        assertDone(play, updates);
    }

    @Test
    void oneStrangerAtTheStartIsLeftAndF1EndTheClient() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.strangers.add(0);
        assertDone(play, increments(play, 2));
        Play stale = new Play(Play.POLICY, 0, 1);
        stale.strangers.addAll(List.of(0, 1, 2, 3));
        stale.settle();
        assertThat(stale.seen(Effect.Ended.class))
                .extracting(Effect.Ended::why)
                .singleElement()
                .isInstanceOf(Failure.WrongServer.class);
    }

    @Test
    void noGreetingEndsAClientThatHadASession() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.world.spread();
        play.strangers.addAll(List.of(0, 1, 2, 3));
        play.cut();
        play.pass(5_000);
        assertThat(play.seen(Effect.Ended.class)).isEmpty();
        play.strangers.clear();
        play.cut();
        assertDone(play, updates);
    }

    /** Frames that do not arrive whole, at one server after the other, in the life of a client that only reads. */
    @ParameterizedTest
    @EnumSource(
            value = Refusal.Reason.class,
            names = {"MALFORMED", "TOO_LARGE", "FALSE_COMPLAINTS"})
    void refusedFramesDoNotEndAClientThatHadASession(Refusal.Reason reason) {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        for (int i = 0; i < 4; i++) {
            CallId read = play.read("a", false);
            play.settle();
            assertThat(play.seen(Effect.ReadDone.class))
                    .extracting(Effect.ReadDone::call)
                    .contains(read);
            play.push(new Refusal(0, false, reason, "so it says"));
            play.settle();
            play.pass(10_000);
        }
        assertThat(play.seen(Effect.Ended.class)).isEmpty();
        assertThat(play.events(Switched.class))
                .hasSize(4)
                .extracting(Switched::why)
                .containsOnly(Why.REFUSED);
        assertDone(play, increments(play, 2));
    }

    /** Whoever takes the client again says that it was no refusal for good. */
    @Test
    void aServerThatTakesTheClientAgainRefusedItNotForGood() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.strict.add(0);
        play.settle();
        assertThat(play.core.server()).isNotZero();
        play.strict.clear();
        play.down.addAll(List.of(1, 2, 3));
        play.cut();
        play.pass(10_000);
        assertThat(play.core.server()).as("the only one that answers").isZero();
        play.strict.add(1);
        play.down.clear();
        play.down.addAll(List.of(0, 2, 3));
        play.cut();
        play.pass(120_000);
        assertThat(play.events(Switched.class)).extracting(Switched::from).contains(1);
        assertThat(play.seen(Effect.Ended.class)).isEmpty();
        play.down.clear();
        assertDone(play, increments(play, 2));
    }

    private static UnaryOperator<Message> refusingReads(Refusal.Reason reason) {
        return message ->
                message instanceof Answer answer && !answer.response().message().isUpdate()
                        ? new Refusal(answer.response().message().reference(), true, reason, "so it says")
                        : message;
    }

    @ParameterizedTest
    @EnumSource(Refusal.Reason.class)
    void oneServersRefusalFailsNoRead(Refusal.Reason reason) {
        for (boolean certified : new boolean[] {true, false}) {
            Play play = new Play(Play.POLICY, 0, 1);
            play.settle();
            List<CallId> updates = increments(play, 1);
            play.certify();
            play.liars.put(0, refusingReads(reason));
            CallId read = play.read("a", certified);
            play.settle();
            play.pass(40_000);
            assertThat(play.seen(Effect.Failed.class)).isEmpty();
            assertThat(play.seen(Effect.ReadDone.class))
                    .extracting(Effect.ReadDone::call)
                    .containsExactly(read);
            assertDone(play, updates);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Refusal.Reason.class,
            names = {"WRONG_TYPE", "TOO_LARGE", "MALFORMED"})
    void theRefusalOfF1ServersFailsTheRead(Refusal.Reason reason) {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        increments(play, 3);
        play.certify();
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, refusingReads(reason));
        }
        play.increment("a");
        CallId read = play.read("a", true);
        play.settle();
        play.pass(10_000);
        assertThat(play.seen(Effect.Failed.class))
                .containsExactly(new Effect.Failed(read, new Failure.Refused(reason, "so it says")));
        assertThat(play.events(Switched.class))
                .as("left once, and not for what it reads itself")
                .extracting(Switched::why)
                .containsOnlyOnce(Why.REFUSED);
    }

    /** A client that has never seen a certificate believes that there is none. */
    @Test
    void whereThereIsNoCertificateACertifiedReadFailsAndNobodyIsLeft() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        CallId read = play.read("a", true);
        play.settle();
        assertThat(play.seen(Effect.Failed.class))
                .extracting(Effect.Failed::call)
                .containsExactly(read);
        assertThat(play.events(Switched.class)).isEmpty();
    }

    static UnaryOperator<Message> refusing(Refusal.Reason reason) {
        return message -> message instanceof Answer answer
                        && answer.response().message().isUpdate()
                        && answer.response().message().reference() > 0
                ? new Refusal(
                        answer.response().message().client(),
                        answer.response().message().reference(),
                        false,
                        reason,
                        "so it says")
                : message;
    }

    /** It enters the updates all the same, and spreads them. */
    @ParameterizedTest
    @EnumSource(
            value = Refusal.Reason.class,
            names = {"BUSY"},
            mode = EnumSource.Mode.EXCLUDE)
    void oneServersRefusalFailsNoCall(Refusal.Reason reason) {
        for (long tolerance : new long[] {1, 0}) {
            Play play = new Play(Play.POLICY, tolerance, 1);
            play.liars.put(0, refusing(reason));
            play.settle();
            List<CallId> updates = increments(play, 3);
            play.world.spread();
            play.pass(10_000);
            assertThat(play.seen(Effect.Failed.class)).isEmpty();
            assertDone(play, updates);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Refusal.Reason.class,
            names = {"WRONG_TYPE", "BAD_OPERATION", "TOO_LARGE", "MALFORMED"})
    void anUpdateThatF1ServersRefuseMayTakeEffect(Refusal.Reason reason) {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, refusing(reason));
        }
        CallId update = play.increment("a");
        play.settle();
        assertThat(play.seen(Effect.Failed.class)).isEmpty();
        assertThat(play.seen(Effect.MayTakeEffect.class))
                .containsExactly(new Effect.MayTakeEffect(
                        update, ScriptedSession.CLIENT, 1, new Failure.Refused(reason, "so it says")));
        assertThat(play.events(ClientEvent.MayTakeEffect.class)).hasSize(1);
        assertThat(play.events(Switched.class)).isNotEmpty();
        assertThat(play.core.unconfirmed()).isEqualTo(1);
    }

    /** f+1 servers refuse an update that they have entered, and then answer it: the doubt ends with its confirmation. */
    @Test
    void anUpdateThatMayTakeEffectKeepsItsNumberUntilItIsConfirmed() {
        Play play = new Play(Play.POLICY, 1, 1);
        play.settle();
        for (int server = 0; server < 4; server++) {
            play.liars.put(server, refusing(Refusal.Reason.TOO_LARGE));
        }
        CallId first = play.increment("a");
        CallId second = play.increment("a");
        play.settle();
        play.pass(10_000);
        assertThat(play.seen(Effect.MayTakeEffect.class))
                .extracting(Effect.MayTakeEffect::call)
                .containsExactly(first);
        assertThat(play.core.unconfirmed()).isEqualTo(1);
        assertThat(play.core.waiting()).as("no room while it may take effect").isEqualTo(1);
        play.liars.clear();
        assertDone(play, List.of(first, second));
    }

    @Test
    void nothingFailsAtAServerThatOpensNoSession() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.liars.put(0, message -> {
            if (message instanceof Answer answer && answer.response().message().isUpdate()) {
                long number = answer.response().message().reference();
                Refusal.Reason reason = number == 0 ? Refusal.Reason.BUSY : Refusal.Reason.NO_SESSION;
                return new Refusal(ScriptedSession.CLIENT, number, false, reason, "under repair");
            }
            return message;
        });
        play.settle();
        List<CallId> updates = increments(play, 3);
        play.pass(5_000);
        assertThat(play.seen(Effect.Failed.class)).isEmpty();
        assertThat(play.why()).isEqualTo(Why.UNREACHABLE);
        assertDone(play, updates);
    }

    @Test
    void aServerThatOnlyGreetsIsLeft() {
        Play play = play(Fault.SILENT, Play.POLICY, 0);
        CallId read = play.read("a", false);
        play.pass(2_500);
        assertThat(play.why()).isEqualTo(Why.UNREACHABLE);
        assertThat(play.seen(Effect.ReadDone.class))
                .extracting(Effect.ReadDone::call)
                .containsExactly(read);
    }

    /**
     * Any fault of one server at any time, with connections that break, and with moves that the application chooses: nothing is lost,
     * doubled or blamed wrongly.
     */
    @Test
    void randomSchedulesWithOneFaultyServer() {
        Fault[] faults = Fault.values();
        for (long seed = 0; seed < 120; seed++) {
            Random random = new Random(seed);
            long tolerance = new long[] {0, 1, 3}[random.nextInt(3)];
            Play play = new Play(INSPECTING, tolerance, seed);
            int faulty = random.nextInt(4);
            Fault fault = faults[random.nextInt(faults.length)];
            try {
                play.settle();
                List<CallId> updates = random(play, random, faulty, fault);
                play.world.servers.get(faulty).faults.remove(Fault.LIES_ABOUT_OTHERS);
                assertDone(play, updates);
                for (int server = 0; server < 4; server++) {
                    if (server != faulty) {
                        assertThat(play.world.accused(server)).isFalse();
                    }
                }
            } catch (AssertionError | RuntimeException failed) {
                throw new AssertionError("seed " + seed + ", " + fault + " at " + faulty + ": " + play.events, failed);
            }
        }
    }

    private static List<CallId> random(Play play, Random random, int faulty, Fault fault) {
        List<CallId> updates = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> updates.add(play.increment("a"));
                case 3 -> play.world.spread();
                case 4 -> play.certify();
                case 5 -> play.pass(random.nextInt(1_500));
                case 6 -> play.settle();
                default -> {
                    switch (random.nextInt(8)) {
                        case 0, 1 -> play.cut();
                        case 2 -> play.step(new Event.ServerChosen(random.nextInt(4)));
                        default -> {}
                    }
                }
            }
            if (i == 20) {
                play.world.servers.get(faulty).faults.add(fault);
            }
        }
        play.settle();
        return updates;
    }
}
