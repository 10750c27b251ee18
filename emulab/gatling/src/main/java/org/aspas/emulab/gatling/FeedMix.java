package org.aspas.emulab.gatling;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.aspas.emulab.gatling.FeedOperation.Action;

/** How often users do what, in percent. */
enum FeedMix {
    /** The feed of {@code bench --workload feed}: mostly views and reads, some likes, few comments. */
    FEED(Map.of(
            Action.VIEW, 25,
            Action.LIKE, 10,
            Action.COMMENT, 3,
            Action.FOLLOW, 2,
            Action.READ_LIKES, 20,
            Action.READ_COMMENTS, 40)),
    /** Half reads, half increments of counters, as YCSB's workload A on counters. */
    A(Map.of(Action.LIKE, 50, Action.READ_LIKES, 50)),
    /** Increments of counters only. */
    UPDATE(Map.of(Action.LIKE, 100));

    private static final int WHOLE = 100;

    @SuppressWarnings("ImmutableEnumChecker") // a copy of its own
    private final Map<Action, Integer> percent;

    FeedMix(Map<Action, Integer> percent) {
        this.percent = new EnumMap<>(percent);
        if (percent.values().stream().mapToInt(Integer::intValue).sum() != WHOLE) {
            throw new IllegalStateException("the shares of " + name() + " are not 100 %");
        }
    }

    Action next(RandomGenerator random) {
        int drawn = random.nextInt(WHOLE);
        for (Map.Entry<Action, Integer> share : percent.entrySet()) {
            drawn -= share.getValue();
            if (drawn < 0) {
                return share.getKey();
            }
        }
        throw new IllegalStateException("the shares of " + name() + " are not 100 %");
    }

    /** Whether it has updates (true), or reads (false). */
    boolean has(boolean update) {
        return percent.keySet().stream().anyMatch(action -> action.update() == update);
    }

    /** What users do, in the order of the report. */
    List<Action> actions() {
        return Arrays.stream(Action.values()).filter(percent::containsKey).toList();
    }
}
