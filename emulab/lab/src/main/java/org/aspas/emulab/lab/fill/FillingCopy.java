package org.aspas.emulab.lab.fill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.appserver.core.port.BaseImage;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.StoreState;
import org.aspas.appserver.core.step.Records;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.appserver.store.StoreUnusableException;
import org.aspas.certify.durable.Ticket;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.lab.deployment.Deployment;

/**
 * Brings the store of an appserver to where another one is, when all that either has is certified: a base with the same image, and a
 * journal that begins with the sum of that. Keys and owner stay its own.
 */
final class FillingCopy {
    private static final int PAUSE_MILLIS = 20;
    private static final long PATIENCE_SECONDS = 3_600;

    /** Each server has started once. */
    private static final long STARTS = 1;

    private FillingCopy() {}

    /**
     * Writes a store, which nobody has open.
     *
     * @param image what is certified, of which nothing is in a base alone
     */
    static void write(Deployment made, NodeId self, Path data, BaseImage image)
            throws IOException, StoreUnusableException, InterruptedException {
        Path directory = data.resolve(self.toString());
        Path journal = directory.resolve(JournalStore.DIRECTORY);
        StoreOwner owner =
                new StoreOwner(made.descriptor().id(), self, made.key(self).publicKey());
        try (EntryStore store = JournalStore.open(directory, owner, Durability.SYNC)) {
            if (store.state() != StoreState.GOOD) {
                throw new IllegalStateException("the store of " + self + " is " + store.state());
            }
            List<String> before = files(journal);
            FillingProgress progress = new FillingProgress();
            store.keep(new Effect.Keep(image, false));
            store.append(new Ticket(1), Records.sum(STARTS, image.head()), progress);
            store.append(new Ticket(2), Records.sumEnd(), progress);
            progress.await(2);
            awaitBase(self, journal, before);
        }
    }

    /** The first segment goes when the sum and the base are durable. */
    private static void awaitBase(NodeId self, Path journal, List<String> before)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (files(journal).containsAll(before)) {
            if (System.nanoTime() > end) {
                throw new IOException("the base of " + self + " cannot be written");
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private static List<String> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
