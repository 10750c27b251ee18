package org.aspas.certify.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The search puts a replica's process together anew for every step, of its record and what it remembers. On random ways that
 * gives what one process gives that runs through all of them, also where it had lost its record.
 */
class RememberedStateTest {
    private static final int WAYS = 60;
    private static final int LENGTH = 60;

    private final Steps steps = new Steps(new Bounds(2, 2, 3, 1, 1, 0, false));

    private State begin(Random random) {
        List<State> starts = new ArrayList<>();
        starts.add(steps.initial());
        steps.from(steps.initial(), (how, next) -> {
            if (next.spent(State.COLD) > 0) {
                starts.add(next);
            }
        });
        return starts.get(random.nextInt(starts.size()));
    }

    private long command(State state, Random random) {
        List<Integer> words = new ArrayList<>();
        for (int word : steps.soups.words(state.soup())) {
            words.add(word);
        }
        for (int word : steps.lies(state)) {
            words.add(word);
        }
        for (int node : state.replicas()) {
            words.addAll(steps.said(state, node));
        }
        int choice = random.nextInt(words.size() + 2);
        return choice < words.size()
                ? steps.machines.order(state.machine(), words.get(choice))
                : steps.machines.decide(state.machine(), choice - words.size());
    }

    @Test
    void aProcessPutTogetherAnewGoesOnAsOneThatRan() {
        int moved = 0;
        for (int way = 0; way < WAYS; way++) {
            Random random = new Random(way);
            State begun = begin(random);
            State state = begun;
            List<Integer> made = new ArrayList<>();
            for (int i = 0; i < LENGTH; i++) {
                long result = command(state, random);
                State next = steps.follow(state, result);
                if (next != null) {
                    made.add(Machines.made(result));
                    state = next;
                }
            }
            for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
                assertThat(steps.replicas.atOnce(begun.replicas()[replica], made))
                        .as("way %d, replica %d", way, replica)
                        .isEqualTo(state.replicas()[replica]);
                moved += begun.replicas()[replica] == state.replicas()[replica] ? 0 : 1;
            }
        }
        assertThat(moved).isGreaterThan(WAYS);
    }
}
