package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Pull;
import org.junit.jupiter.api.Test;

/** A peer that asks for entries all the time is answered a bounded number of times. */
class PullRateTest {
    private static final int QUESTIONS = 5000;

    private final Deployment world = new Deployment(3);

    private long answers(int from, Pull pull) {
        return world.cores.get(0).step(new Event.NodeFrame(NodeId.appserver(from), new Frame.Plain(pull))).stream()
                .filter(effect -> effect instanceof Effect.ToNode sent
                        && (sent.message() instanceof Batch || sent.message() instanceof CertifiedEntries))
                .count();
    }

    @Test
    void whoAsksTooMuchWaitsAndNobodyElse() {
        TestClient client = world.client(1, 0);
        client.open();
        world.run(1000);
        for (Pull pull : new Pull[] {new Pull(0, 0), new Pull(0, 0, 1)}) {
            assertThat(answers(1, pull)).isEqualTo(1);
            long answered = 0;
            for (int i = 0; i < QUESTIONS; i++) {
                answered += answers(1, pull);
            }
            assertThat(answered).isBetween(10L, QUESTIONS / 2L);
            assertThat(answers(2, pull)).isEqualTo(1);
            world.run(1000);
        }
        assertThat(answers(1, new Pull(0, 0))).isEqualTo(1);
        assertThat(world.cores.get(0).status().counters()).containsKey("refused_pull_over_budget");
    }
}
