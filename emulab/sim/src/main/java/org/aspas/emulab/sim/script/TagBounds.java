package org.aspas.emulab.sim.script;

import java.util.List;
import org.aspas.certify.tag.SessionTags;
import org.aspas.emulab.sim.engine.SeededRandom;

/**
 * How long sessions have their tags in a run, and from which request on. Where faults happen it is so little by chance that tags meet restarts,
 * new keys and sessions that are forgotten.
 *
 * @param keyMillis how long a client has one key
 */
record TagBounds(SessionTags.Bounds known, long keyMillis) {
    private static final SessionTags.Bounds USUAL = SessionTags.Bounds.USUAL;
    private static final long KEY_MILLIS = 3_000_000;

    static TagBounds of(Settings settings) {
        if (settings.exact() || settings.faults().isEmpty()) {
            return new TagBounds(USUAL, KEY_MILLIS);
        }
        SeededRandom chance = new SeededRandom(settings.seed()).stream("tag bounds");
        return new TagBounds(
                new SessionTags.Bounds(
                        chance.pick(List.of(USUAL.clients(), 3)),
                        chance.pick(List.of(USUAL.lifeMillis(), 2_000L)),
                        chance.pick(List.of(1, 1, 2, USUAL.worthwhile()))),
                chance.pick(List.of(KEY_MILLIS, 1_500L)));
    }
}
