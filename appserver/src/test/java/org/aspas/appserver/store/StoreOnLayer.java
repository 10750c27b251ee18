package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.JournalLimits;

/** Makes and opens stores in any files, with small segments, on threads of the caller's. */
public final class StoreOnLayer {
    private static final JournalLimits LIMITS = new JournalLimits(8 << 10, 1 << 20);
    private static final JournalWriter.Patience PATIENCE =
            new JournalWriter.Patience(Duration.ofMillis(1), Duration.ofHours(1), Duration.ofMillis(20));

    private StoreOnLayer() {}

    /** Makes the store of a new key, as {@code aspas init} does. */
    public static void make(FileLayer files, StoreOwner owner) throws IOException {
        JournalStore.make(files, owner, LIMITS, store -> {});
    }

    /** Opens it; its base is in the directory. */
    public static EntryStore open(
            FileLayer files, Path data, StoreOwner owner, Function<String, ScheduledExecutorService> threads)
            throws IOException {
        return JournalStore.open(
                files,
                Optional.of(data),
                owner,
                Durability.SYNC,
                new StoreSurroundings("boot", PATIENCE, LIMITS, 0, threads));
    }
}
