package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.client.core.ClientEvent.Complained;
import org.aspas.client.core.ClientEvent.Switched;
import org.aspas.client.core.ClientEvent.Why;
import org.junit.jupiter.api.Test;

/** A server that is about to end sends its clients on: they go at once, blame nobody, and lose nothing. */
class DrainTest {
    /** More often than the budget for doubts has entries at the start. */
    private static final int OFTEN = 40;

    private static void assertOnlyDrained(Play play) {
        assertThat(play.events(Switched.class)).extracting(Switched::why).containsOnly(Why.DRAINING);
        assertThat(play.events(Complained.class)).isEmpty();
        assertThat(play.seen(Effect.Noticed.class))
                .extracting(Effect.Noticed::notice)
                .doesNotHaveAnyElementsOfTypes(Notice.ProtocolBroken.class);
    }

    @Test
    void aGoodbyeIsFollowedAtOnceAndCostsNothing() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        List<CallId> updates = SwitchTest.increments(play, 3);
        for (int i = 0; i < OFTEN; i++) {
            int before = play.core.server();
            play.push(new Refusal(0, false, Refusal.Reason.DRAINING, "about to end"));
            assertThat(play.core.server()).as("goodbye %d", i).isNotEqualTo(before);
            play.settle();
            play.pass(Play.TICK);
        }
        assertOnlyDrained(play);
        SwitchTest.assertDone(play, updates);
    }

    @Test
    void whatADrainingServerRefusesIsDoneByTheNext() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.liars.put(0, DrainTest::refused);
        CallId read = play.read("a", false);
        List<CallId> updates = SwitchTest.increments(play, 2);
        play.pass(1_000);
        assertOnlyDrained(play);
        assertThat(play.events(Switched.class)).hasSize(1);
        assertThat(play.seen(Effect.ReadDone.class))
                .extracting(Effect.ReadDone::call)
                .containsExactly(read);
        SwitchTest.assertDone(play, updates);
    }

    private static Message refused(Message message) {
        if (message instanceof Answer answer && answer.response().message().reference() != 0) {
            Response response = answer.response().message();
            return new Refusal(
                    response.client(),
                    response.reference(),
                    !response.isUpdate(),
                    Refusal.Reason.DRAINING,
                    "about to end");
        }
        return message;
    }
}
