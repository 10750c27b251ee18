package org.aspas.appserver.store;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.aspas.certify.journal.JournalLimits;

/**
 * What a store runs on.
 *
 * @param boot the boot id of the machine; empty when it is not known
 * @param limits of its journal
 * @param room for how many bytes of objects there is room in memory, when there is a base
 * @param threads makes a thread of this name; the store ends it
 */
record StoreSurroundings(
        String boot,
        JournalWriter.Patience patience,
        JournalLimits limits,
        long room,
        Function<String, ScheduledExecutorService> threads) {
    /** This machine, as it is now. */
    static StoreSurroundings here() {
        return new StoreSurroundings(
                BootId.now(),
                JournalWriter.Patience.USUAL,
                JournalStore.LIMITS,
                Long.MAX_VALUE,
                StoreSurroundings::thread);
    }

    StoreSurroundings withRoom(long bytes) {
        return new StoreSurroundings(boot, patience, limits, bytes, threads);
    }

    StoreSurroundings with(String otherBoot, JournalWriter.Patience other) {
        return new StoreSurroundings(otherBoot, other, limits, room, threads);
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }
}
