package org.aspas.appserver.store;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.aspas.certify.journal.JournalLimits;

/**
 * What a store runs on.
 *
 * @param boot the boot id of the machine; empty when it is not known
 * @param patience how long its writer waits
 * @param limits of its journal
 * @param threads makes a thread of this name; the store ends it
 */
record StoreSurroundings(
        String boot,
        JournalWriter.Patience patience,
        JournalLimits limits,
        Function<String, ScheduledExecutorService> threads) {
    /** This machine, as it is now. */
    static StoreSurroundings here() {
        return new StoreSurroundings(
                BootId.now(), JournalWriter.Patience.USUAL, JournalStore.LIMITS, StoreSurroundings::thread);
    }

    /** The same with another boot id and patience. */
    StoreSurroundings with(String otherBoot, JournalWriter.Patience other) {
        return new StoreSurroundings(otherBoot, other, limits, threads);
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }
}
