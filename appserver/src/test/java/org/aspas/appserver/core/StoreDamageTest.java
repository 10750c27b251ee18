package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.aspas.appserver.core.DamagedStores.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One damaged place in the files of a whole store: the server starts with all that it acknowledged, or names file and byte, or waits for a
 * snapshot, or says how much was cut off. {@code -Daspas.damages=500} makes so many of each kind of store.
 */
class StoreDamageTest {
    private static final int TRIALS = Integer.getInteger("aspas.damages", 40);

    @TempDir
    private Path folder;

    private Map<Outcome, Integer> damaged(boolean closed) throws IOException {
        DamagedStores stores = new DamagedStores(folder, closed);
        Map<Outcome, Integer> count = new EnumMap<>(Outcome.class);
        for (long seed = 1; seed <= TRIALS; seed++) {
            count.merge(stores.trial(seed), 1, Integer::sum);
        }
        System.out.println((closed ? "ended in order" : "killed") + ", seeds 1 to " + TRIALS + ":\n" + stores.report());
        return count;
    }

    @Test
    void aStoreThatWasKilledIsWholeNamesTheDamageOrSaysWhatWasCutOff() throws IOException {
        assertThat(damaged(false)).containsKeys(Outcome.NAMED, Outcome.WHOLE);
    }

    @Test
    void aStoreThatEndedInOrderSignsNoDotTwice() throws IOException {
        assertThat(damaged(true))
                .containsKeys(Outcome.NAMED, Outcome.WHOLE)
                .doesNotContainKeys(Outcome.TAIL_CUT, Outcome.DOT_TWICE);
    }
}
