package org.aspas.emulab.console.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aspas.emulab.console.feed.ConsoleState;
import org.aspas.emulab.console.feed.ProofShelf;
import org.aspas.emulab.console.feed.RecentCertificates;
import org.aspas.emulab.testbed.attack.AttackEvent;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.junit.jupiter.api.Test;

/** The end of each attack's story is told, not of the first alone. */
class StoryFeedTest {
    private final ConsoleState state = new ConsoleState(ConsoleState.object());
    private final OpenUpdates open = new OpenUpdates(4);
    private final StoryFeed story = new StoryFeed(
            state, new RecentCertificates(state), new ProofShelf(state), open, client -> client % 2, server -> {});

    private static ByzantineReport attack(String server) {
        return new ByzantineReport(
                "forking", "", server, 1, null, null, null, null, null, 0, 0, 0, Map.of(), 0, 0, 0, 0, List.of(), 0);
    }

    private void line(int accused, AttackEvent.Kind kind) {
        story.line(accused, new AttackEvent(kind, 1, "appserver-0", "text", null));
    }

    private List<String> told(String server) {
        story.publish(attack(server));
        List<String> kinds = new ArrayList<>();
        state.hello().path("story").forEach(one -> kinds.add(one.path("kind").asText()));
        return kinds;
    }

    @Test
    void everyAttackEndsWithWhatBecameOfTheUpdates() {
        OpenUpdates.Stretch first = open.begin(3);
        line(3, AttackEvent.Kind.CORRUPTED);
        line(3, AttackEvent.Kind.EXCLUDED);
        assertThat(told("appserver-3")).containsExactly("corrupted", "excluded");
        first.ended(3, true);
        line(3, AttackEvent.Kind.EXCLUDED);
        assertThat(told("appserver-3")).containsExactly("corrupted", "excluded", "excluded", "whole");

        line(2, AttackEvent.Kind.CORRUPTED);
        OpenUpdates.Stretch second = open.begin(2);
        assertThat(told("appserver-2")).hasSize(5);
        assertThat(state.hello().path("attack").path("open").isNull()).isTrue();
        line(2, AttackEvent.Kind.EXCLUDED);
        assertThat(told("appserver-2")).hasSize(6);
        assertThat(state.hello().path("attack").path("open").asInt()).isEqualTo(1);
        assertThat(state.hello().path("attack").path("openAt"))
                .hasToString("[{\"server\":\"appserver-0\",\"updates\":1}]");
        second.ended(2, true);
        assertThat(told("appserver-2")).hasSize(7).endsWith("whole");
    }

    @Test
    void whatWasLostInOneAttackIsNotLostInTheNext() {
        OpenUpdates.Stretch lost = open.begin(0);
        line(3, AttackEvent.Kind.CORRUPTED);
        line(3, AttackEvent.Kind.EXCLUDED);
        lost.ended(0, false);
        assertThat(told("appserver-3")).endsWith("wrong");

        OpenUpdates.Stretch saved = open.begin(0);
        line(2, AttackEvent.Kind.CORRUPTED);
        line(2, AttackEvent.Kind.EXCLUDED);
        saved.ended(0, true);
        assertThat(told("appserver-2")).endsWith("whole");
    }
}
