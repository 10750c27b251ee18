package org.aspas.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.client.ScriptedWorld.Fault;
import org.aspas.client.core.ClientEvent.Resubmitted;
import org.aspas.client.core.ClientEvent.Switched;
import org.aspas.client.core.ClientEvent.Why;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application chooses another server. */
class MoveTest {
    private static final int NEAR = 0;
    private static final int FAR = 2;

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 0})
    void whatIsUnconfirmedGoesAlong(long tolerance) {
        Play play = new Play(Play.POLICY, tolerance, 1);
        play.settle();
        List<CallId> updates = SwitchTest.increments(play, 3);
        play.step(new Event.ServerChosen(FAR));
        play.settle();
        assertThat(play.core.server()).isEqualTo(FAR);
        assertThat(play.events(Switched.class))
                .containsExactly(new Switched(NEAR, FAR, Why.CHOSEN, "the application chose appserver 2"));
        assertThat(play.events(Resubmitted.class))
                .extracting(Resubmitted::server)
                .containsOnly(FAR);
        SwitchTest.assertDone(play, updates);
    }

    @Test
    void thePresentServerIsNoMove() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.step(new Event.ServerChosen(NEAR));
        assertThat(play.events(Switched.class)).isEmpty();
    }

    @Test
    void aServerThatWasDownIsChosenAgain() {
        Play play = new Play(Play.POLICY, 0, 1);
        play.settle();
        play.down.add(NEAR);
        play.cut();
        play.pass(4_000);
        assertThat(play.why()).isEqualTo(Why.UNREACHABLE);
        play.down.clear();
        play.step(new Event.ServerChosen(NEAR));
        play.settle();
        assertThat(play.core.server()).isEqualTo(NEAR);
        SwitchTest.assertDone(play, SwitchTest.increments(play, 3));
        assertThat(play.core.server()).isEqualTo(NEAR);
    }

    @Test
    void aClientThatStaysWhateverHappensMovesWhenTold() {
        Play play = new Play(Policy.STAY, 0, 1);
        play.settle();
        List<CallId> updates = SwitchTest.increments(play, 2);
        play.step(new Event.ServerChosen(FAR));
        play.settle();
        assertThat(play.core.server()).isEqualTo(FAR);
        SwitchTest.assertDone(play, updates);
    }

    @Test
    void nobodyMovesToAConvictedServer() {
        Play play = SwitchTest.play(Fault.BAD_CERTIFICATE, Play.POLICY, 0);
        play.world.certify();
        List<CallId> updates = SwitchTest.increments(play, 3);
        int refuge = play.core.server();
        assertThat(refuge).isNotEqualTo(NEAR);
        play.step(new Event.ServerChosen(NEAR));
        play.settle();
        assertThat(play.core.server()).isEqualTo(refuge);
        SwitchTest.assertDone(play, updates);
    }
}
