package org.aspas.emulab.sim.node;

import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;

/**
 * One party's own idea of time: it begins anywhere and runs fast or slow.
 *
 * @param offsetMillis what it shows when the run begins
 * @param rate how fast it runs
 */
public record LocalClock(long offsetMillis, double rate) {
    public static final LocalClock TRUE = new LocalClock(0, 1);

    /** A clock up to a day ahead or behind, up to a tenth too fast or too slow. */
    public static LocalClock skewed(SeededRandom chance) {
        return new LocalClock(chance.between(-86_400_000, 86_400_000), 0.9 + 0.2 * chance.fraction());
    }

    /** What the clock shows at a virtual time. */
    public long millis(long now) {
        return offsetMillis + (long) (now * rate / Timeline.MILLI);
    }

    /** How long it takes in virtual time until the clock has moved on by this much. */
    public long micros(long millis) {
        return Math.max(1, (long) (millis * Timeline.MILLI / rate));
    }
}
