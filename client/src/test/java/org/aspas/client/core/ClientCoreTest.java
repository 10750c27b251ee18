package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

class ClientCoreTest {
    @Test
    void opensASessionAndReportsIt() {
        ScriptedSession session = ScriptedSession.connected(5);
        assertThat(session.seen(Effect.Noticed.class))
                .extracting(Effect.Noticed::notice)
                .contains(new Notice.SessionOpened(1, 5));
    }

    @Test
    void sendsNothingBeforeTheServerGreets() {
        ScriptedSession session = new ScriptedSession(0);
        session.step(new Event.Connected());
        session.increment("a");
        assertThat(session.toServer).isEmpty();
    }

    @Test
    void sendsNothingButTheSessionRecordBeforeItsAnswer() {
        ScriptedSession session = new ScriptedSession(0);
        session.step(new Event.Connected());
        session.push(session.server.hello());
        session.increment("a");
        session.read("a", false);
        assertThat(session.toServer)
                .singleElement()
                .isInstanceOfSatisfying(
                        Frame.Sealed.class,
                        frame -> assertThat(frame.signed().message()).isInstanceOf(OpenSession.class));
        session.serve();
        assertThat(session.answered()).hasSize(1);
        assertThat(session.seen(Effect.ReadDone.class)).hasSize(1);
    }

    @Test
    void aRefusalWithoutASwitchFreesNoRoomInTheWindow() {
        ScriptedSession session = ScriptedSession.connected(1);
        CallId first = session.increment("a");
        session.increment("a");
        session.toServer.clear();
        session.push(new Refusal(
                ScriptedSession.CLIENT, 1, false, Refusal.Reason.NUMBER_REUSED, "known with other content"));
        assertThat(session.doubt(first)).isInstanceOf(Failure.Refused.class);
        assertThat(session.core.unconfirmed()).isEqualTo(1);
        assertThat(session.core.waiting()).isEqualTo(1);
    }

    @Test
    void refusesAnotherDeployment() {
        ScriptedSession session = new ScriptedSession(0);
        CallId update = session.increment("a");
        session.step(new Event.Connected());
        session.push(new Hello(Hash.sha256(new byte[] {8}), 0));
        assertThat(session.failure(update)).isInstanceOf(Failure.WrongServer.class);
        assertThat(session.seen(Effect.Ended.class)).hasSize(1);
        assertThat(session.toServer).isEmpty();
        assertThat(session.failure(session.increment("a"))).isEqualTo(new Failure.Closed());
    }

    @Test
    void answersInOneRoundTripAndConfirmsLater() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId update = session.increment("a");
        session.serve();
        assertThat(session.answered()).containsExactly(update);
        assertThat(session.seen(Effect.Answered.class)
                        .get(0)
                        .response()
                        .message()
                        .result())
                .isEqualTo(Value.of(1));
        assertThat(session.confirmed()).isEmpty();
        session.certify();
        assertThat(session.confirmed()).containsExactly(update);
        assertThat(session.core.unconfirmed()).isZero();
        assertThat(session.core.verificationFailures()).isZero();
    }

    @Test
    void toleranceOneAnswersOnlyWithTheConfirmation() {
        ScriptedSession session = ScriptedSession.connected(1);
        CallId first = session.increment("a");
        CallId second = session.increment("a");
        session.serve();
        assertThat(session.answered()).isEmpty();
        assertThat(session.core.unconfirmed()).isEqualTo(1);
        assertThat(session.core.waiting()).isEqualTo(1);
        assertThat(session.core.waited()).isEqualTo(2);
        session.certify();
        assertThat(session.answered()).containsExactly(first);
        assertThat(session.confirmed()).containsExactly(first);
        session.serve();
        session.certify();
        assertThat(session.confirmed()).containsExactly(first, second);
        assertThat(session.highestUnconfirmed).isEqualTo(1);
        assertThat(session.core.exposure()).isEqualTo(1);
        assertThat(session.core.waited()).isEqualTo(2);
    }

    @Test
    void toleranceTenNeverHasElevenUnconfirmed() {
        ScriptedSession session = ScriptedSession.connected(10);
        for (int i = 0; i < 55; i++) {
            session.increment("k" + i % 3);
            session.serve();
            if (i % 15 == 14) {
                session.certify();
            }
        }
        while (session.core.unconfirmed() > 0) {
            session.serve();
            session.certify();
        }
        assertThat(session.highestUnconfirmed).isEqualTo(10);
        assertThat(session.core.exposure()).isEqualTo(10);
        // Of each 15 between two certificates ten find room at once. A later ten begin with those that still wait.
        assertThat(session.core.waited()).isBetween(15L, 45L);
        assertThat(session.confirmed()).hasSize(55).extracting(CallId::value).isSorted();
        assertThat(session.core.verificationFailures()).isZero();
    }

    @Test
    void pipelinesWithContiguousNumbers() {
        ScriptedSession session = ScriptedSession.connected(0);
        for (int i = 0; i < 20; i++) {
            session.increment("a");
        }
        assertThat(session.toServer).hasSize(20);
        session.serve();
        assertThat(requests(session)).containsExactlyElementsOf(numbers(1, 20));
        assertThat(session.answered()).hasSize(20);
    }

    @Test
    void changesToleranceWhileRunning() {
        ScriptedSession session = ScriptedSession.connected(1);
        CallId first = session.increment("a");
        session.increment("a");
        session.serve();
        session.step(new Event.ToleranceChanged(0));
        session.serve();
        assertThat(session.answered()).hasSize(2).startsWith(first);
        assertThat(session.server.lastSession()).isEqualTo(2);
    }

    @Test
    void boundsTheWaitingUpdates() {
        ScriptedSession session = new ScriptedSession(
                1, new ClientSettings.Bounds(10, 10, 1, 1, 512, 4096, 1000), ClientState.FRESH, false);
        session.increment("a");
        session.increment("a");
        assertThat(session.failure(session.increment("a"))).isInstanceOf(Failure.Overflow.class);
        session.read("a", false);
        assertThat(session.failure(session.read("a", false))).isInstanceOf(Failure.Overflow.class);
    }

    @Test
    void refusesMalformedUpdatesItself() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.step(new Event.Update(new CallId(1), "a", "pn-counter", Operation.of("increment", Value.of(0))));
        session.step(new Event.Update(new CallId(2), "", "pn-counter", Operation.of("increment", Value.of(1))));
        session.step(new Event.Update(new CallId(3), "a", "register", Operation.of("increment", Value.of(1))));
        assertThat(List.of(
                        session.failure(new CallId(1)), session.failure(new CallId(2)), session.failure(new CallId(3))))
                .allMatch(Failure.Invalid.class::isInstance);
        assertThat(session.toServer).isEmpty();
    }

    @Test
    void sendsTheSameBytesAgainAfterAReconnection() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.increment("a");
        session.serve();
        session.increment("a");
        Frame lost = session.toServer.remove();
        session.step(new Event.Disconnected("cut"));
        session.increment("a");
        session.connect();
        assertThat(session.answered()).hasSize(4);
        assertThat(session.server.counters).containsEntry("a", 4L);
        assertThat(session.server.received)
                .contains((Request) ((Frame.Sealed) lost).signed().message());
        assertThat(requests(session)).containsExactly(1L, 2L, 1L, 2L, 3L, 4L);
        session.certify();
        assertThat(session.confirmed()).hasSize(4);
        assertThat(session.core.verificationFailures()).isZero();
    }

    @Test
    void acceptsAConfirmationThatOvertakesTheAnswer() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId update = session.increment("a");
        var answer = session.server.serve(session.toServer.remove());
        session.certify();
        assertThat(session.confirmed()).isEmpty();
        session.push(answer);
        assertThat(session.answered()).containsExactly(update);
        assertThat(session.confirmed()).containsExactly(update);
    }

    @Test
    void aRefusedUpdateLeavesTheOthersWhole() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId first = session.increment("a");
        CallId wrong = session.add("a");
        CallId third = session.increment("a");
        session.serve();
        assertThat(session.doubt(wrong))
                .isEqualTo(new Failure.Refused(Refusal.Reason.WRONG_TYPE, "only counters here"));
        assertThat(session.answered()).containsExactly(first, wrong, third);
        session.certify();
        assertThat(session.confirmed()).containsExactly(first, wrong, third);
        assertThat(session.core.verificationFailures()).isZero();
    }

    private static List<ClientEvent.WithoutEffect> withoutEffect(ScriptedSession session) {
        return session.seen(Effect.Happened.class).stream()
                .map(Effect.Happened::event)
                .filter(ClientEvent.WithoutEffect.class::isInstance)
                .map(ClientEvent.WithoutEffect.class::cast)
                .toList();
    }

    @Test
    void aConfirmedUpdateWhoseTypeHasNotTheKeyIsToldToHaveNoEffect() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.add("a");
        session.serve();
        assertThat(withoutEffect(session)).isEmpty();
        session.certify();
        session.serve();
        assertThat(withoutEffect(session)).singleElement().satisfies(event -> {
            assertThat(event.number()).isEqualTo(2);
            assertThat(event.key()).isEqualTo("a");
            assertThat(event.type()).isEqualTo("aw-set");
            assertThat(event.reason()).isEqualTo(Refusal.Reason.WRONG_TYPE);
            assertThat(event.certificate()).isEqualTo(CertificateNumber.FIRST);
            assertThat(event.proved()).isTrue();
        });
    }

    /** No certified object of another type has the key: then the server's word is worth nothing. */
    @Test
    void aServersWordAloneTakesNoEffectAway() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.add("only a set");
        session.increment("a");
        session.serve();
        session.certify();
        session.serve();
        session.push(new Refusal(ScriptedSession.CLIENT, 2, false, Refusal.Reason.WRONG_TYPE, "so it says"));
        session.serve();
        assertThat(session.core.pendingReads()).isZero();
        assertThat(session.confirmed()).hasSize(2);
        assertThat(withoutEffect(session)).isEmpty();
    }

    /** Whether the object was full cannot be proved to a client: f+1 servers, here the one that it stays with, said so. */
    @Test
    void aConfirmedUpdateThatWasRefusedForAFullObjectIsToldToHaveNoProvedEffect() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.toServer.clear();
        session.push(new Refusal(ScriptedSession.CLIENT, 1, false, Refusal.Reason.BAD_OPERATION, "the object is full"));
        session.serve();
        session.certify();
        assertThat(session.confirmed()).hasSize(1);
        assertThat(withoutEffect(session)).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Refusal.Reason.BAD_OPERATION);
            assertThat(event.proved()).isFalse();
        });
    }

    /** They are in the window since the time of a higher τ, and nobody has been given them. */
    @Test
    void afterToleranceIsLoweredNothingNewIsSentBeforeFewerAreUnconfirmed() {
        ScriptedSession session = new ScriptedSession(0);
        session.increment("a");
        session.increment("a");
        session.increment("a");
        session.step(new Event.ToleranceChanged(1));
        session.connect();
        assertThat(requests(session)).containsExactly(1L);
        session.certify();
        session.serve();
        assertThat(requests(session)).containsExactly(1L, 2L);
        session.step(new Event.ToleranceChanged(2));
        session.serve();
        assertThat(requests(session)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void waitsWhenTheServerIsBusy() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId first = session.increment("a");
        CallId second = session.increment("a");
        session.toServer.clear();
        session.push(new Refusal(ScriptedSession.CLIENT, 1, false, Refusal.Reason.BUSY, "later"));
        session.push(new Refusal(ScriptedSession.CLIENT, 2, false, Refusal.Reason.BEHIND, "expected 1"));
        assertThat(session.toServer).isEmpty();
        session.step(new Event.Tick(1));
        session.serve();
        assertThat(session.answered()).containsExactly(first, second);
    }

    @Test
    void aRefusedUpdateKeepsItsNumberAndItsContent() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.increment("a");
        session.add("a");
        session.increment("a");
        session.serve();
        Map<Long, Set<Request>> contents = new TreeMap<>();
        for (ClientSigned body : session.server.received) {
            if (body instanceof Request request) {
                contents.computeIfAbsent(request.number(), any -> new HashSet<>())
                        .add(request);
            }
        }
        assertThat(contents.keySet()).containsExactly(1L, 2L, 3L);
        assertThat(contents.values()).allMatch(set -> set.size() == 1);
        session.certify();
        assertThat(session.core.unconfirmed()).isZero();
    }

    @Test
    void neverSignsMoreThanAServerTakes() {
        ScriptedSession session = new ScriptedSession(
                0, new ClientSettings.Bounds(10, 10, 1, 1, 512, 100, 1000), ClientState.FRESH, false);
        session.connect();
        assertThat(session.failure(session.increment("k".repeat(90)))).isInstanceOf(Failure.Invalid.class);
        session.increment("k");
        session.serve();
        assertThat(requests(session)).containsExactly(1L);
    }

    @Test
    void reportsNumbersThatTheServerDoesNotTake() {
        ScriptedSession session = new ScriptedSession(0);
        session.liar = message ->
                message instanceof Answer answer && answer.response().message().reference() > 0
                        ? new Refusal(
                                ScriptedSession.CLIENT,
                                answer.response().message().reference(),
                                false,
                                Refusal.Reason.BEHIND,
                                "it has forgotten")
                        : message;
        session.connect();
        CallId update = session.increment("a");
        for (long now = 0; now <= 3 * Policy.STAY.graceMillis(); now += 250) {
            session.serve();
            session.step(new Event.Tick(now));
        }
        assertThat(session.doubt(update))
                .isInstanceOfSatisfying(
                        Failure.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.Reason.BEHIND));
        session.toServer.clear();
        CallId other = session.increment("a");
        session.step(new Event.Tick(16_000));
        session.push(new Refusal(ScriptedSession.CLIENT, 1, false, Refusal.Reason.BUSY, "later"));
        session.step(new Event.Tick(16_250));
        session.push(new Refusal(
                ScriptedSession.CLIENT, 2, false, Refusal.Reason.NUMBER_REUSED, "known with other content"));
        assertThat(session.doubt(other))
                .isInstanceOfSatisfying(
                        Failure.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.Reason.NUMBER_REUSED));
    }

    @Test
    void persistsBeforeItSendsAndGoesOnAfterARestart() {
        ScriptedSession session = new ScriptedSession(0, ScriptedSession.BOUNDS, ClientState.FRESH, true);
        session.connect();
        session.effects.clear();
        session.increment("a");
        assertThat(session.effects.get(0)).isInstanceOf(Effect.Persist.class);
        assertThat(session.effects.get(1)).isEqualTo(new Effect.Entered(new CallId(1), ScriptedSession.CLIENT, 1));
        assertThat(session.effects.get(2)).isInstanceOf(Effect.Send.class);
        ClientState record = ((Effect.Persist) session.effects.get(0)).record();
        assertThat(record.unconfirmed()).hasSize(1);
        ScriptedSession again = new ScriptedSession(0, ScriptedSession.BOUNDS, record, true);
        again.connect();
        CallId update = again.increment("a");
        again.serve();
        again.certify();
        assertThat(requests(again)).as("its own, and what the one before left").containsExactly(1L, 1L);
        assertThat(again.server.counters).containsEntry("a", 2L);
        assertThat(again.confirmed()).containsExactly(CallId.NONE, update);
        ClientState last = again.seen(Effect.Persist.class)
                .get(again.seen(Effect.Persist.class).size() - 1)
                .record();
        assertThat(last).isEqualTo(new ClientState(CertificateNumber.FIRST, List.of()));
    }

    private static ScriptedSession connectedWithSlowDisk() {
        ScriptedSession session = new ScriptedSession(0, ScriptedSession.BOUNDS, ClientState.FRESH, true);
        session.connect();
        session.slowDisk = true;
        session.effects.clear();
        return session;
    }

    @Test
    void nothingOfAnUpdateLeavesBeforeItsRecordIsDurable() {
        ScriptedSession session = connectedWithSlowDisk();
        session.read("a", false);
        session.increment("a");
        session.read("a", false);
        assertThat(session.effects).hasSize(2);
        assertThat(session.effects.get(0)).as("tells nothing of the record").isInstanceOf(Effect.Send.class);
        assertThat(session.effects.get(1)).isInstanceOf(Effect.Persist.class);
        session.recordDurable();
        assertThat(session.effects.get(2)).isEqualTo(new Effect.Entered(new CallId(2), ScriptedSession.CLIENT, 1));
        assertThat(session.seen(Effect.Send.class))
                .extracting(send -> send.frame() instanceof Frame.Sealed)
                .as("a read does not overtake an update")
                .containsExactly(false, true, false);
    }

    @Test
    void whatTheRecordHeldBackIsNotSentOnTheNextConnection() {
        ScriptedSession session = connectedWithSlowDisk();
        session.increment("a");
        session.step(new Event.Disconnected("cut"));
        session.step(new Event.Connected());
        session.recordDurable();
        assertThat(session.seen(Effect.Entered.class)).hasSize(1);
        assertThat(session.seen(Effect.Send.class)).isEmpty();
        session.slowDisk = false;
        session.push(session.server.hello());
        session.serve();
        session.certify();
        assertThat(requests(session)).containsExactly(1L);
        assertThat(session.core.unconfirmed()).isZero();
    }

    @Test
    void theEndWaitsForTheRecord() {
        ScriptedSession session = connectedWithSlowDisk();
        CallId update = session.increment("a");
        session.step(new Event.End(new Failure.Closed()));
        assertThat(session.seen(Effect.Ended.class)).isEmpty();
        session.recordDurable();
        assertThat(session.doubt(update)).isEqualTo(new Failure.Closed());
        assertThat(session.effects.get(session.effects.size() - 1)).isInstanceOf(Effect.Ended.class);
        List<Effect.Persist> kept = session.seen(Effect.Persist.class);
        assertThat(kept.get(kept.size() - 1).record().unconfirmed()).hasSize(1);
    }

    @Test
    void aDamagedFrameBreaksTheConnectionAndNotTheClient() {
        ScriptedSession session = ScriptedSession.connected(0);
        session.push(new Refusal(0, false, Refusal.Reason.MALFORMED, "it did not arrive whole in time"));
        assertThat(session.seen(Effect.Ended.class)).isEmpty();
        assertThat(session.seen(Effect.Reconnect.class)).hasSize(1);
    }

    @Test
    void oneServersRefusalFailsAReadOfAClientThatStays() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId read = session.read("a", false);
        session.toServer.clear();
        session.push(new Refusal(1, true, Refusal.Reason.WRONG_TYPE, "of another type"));
        assertThat(session.failure(read)).isInstanceOf(Failure.Refused.class);
    }

    @Test
    void fatalRefusalEndsTheClient() {
        ScriptedSession session = new ScriptedSession(0);
        session.step(new Event.Connected());
        session.push(session.server.hello());
        session.push(new Refusal(0, false, Refusal.Reason.UNKNOWN_CLIENT, "not admitted"));
        assertThat(session.seen(Effect.Ended.class))
                .containsExactly(new Effect.Ended(new Failure.Refused(Refusal.Reason.UNKNOWN_CLIENT, "not admitted")));
    }

    @Test
    void endingFailsAllThatIsPending() {
        ScriptedSession session = ScriptedSession.connected(1);
        CallId first = session.increment("a");
        CallId waiting = session.increment("a");
        CallId read = session.read("a", false);
        session.step(new Event.End(new Failure.Closed()));
        assertThat(List.of(session.doubt(first), session.failure(waiting), session.failure(read)))
                .containsOnly(new Failure.Closed());
        assertThat(session.effects.get(session.effects.size() - 1))
                .as("nothing follows the end")
                .isInstanceOf(Effect.Ended.class);
    }

    private static List<Long> requests(ScriptedSession session) {
        return session.server.received.stream()
                .filter(Request.class::isInstance)
                .map(body -> ((Request) body).number())
                .toList();
    }

    private static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    /**
     * A server forgot a certified place, and entered the number again; the answer was lost with the connection. The confirmation names the
     * new place before the answer comes again.
     */
    @Test
    void aConfirmationMayNameANewPlaceBeforeItsAnswer() {
        ScriptedSession session = ScriptedSession.connected(0);
        CallId update = session.increment("a");
        session.serve();
        session.server.certify();
        Answer answer = session.server.enterAgain(new RequestName(ScriptedSession.CLIENT, 1));
        session.certify();
        assertThat(session.confirmed()).as("without the answer").isEmpty();
        assertThat(session.core.verificationFailures()).isZero();
        session.push(answer);
        assertThat(session.confirmed()).containsExactly(update);
        assertThat(session.core.verificationFailures()).isZero();
    }
}
