package org.aspas.appserver.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOnLayer;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.memory.MemoryFiles;
import org.aspas.certify.step.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * The whole store of one server of a {@link Deployment}, the production code: its journal on {@link MemoryFiles}, which keep back what was
 * not forced, its base on real files. At a chosen call of the journal to its files the power is cut, or the process killed.
 * The base then has of its log any first part, or all: the engine does not force that.
 */
final class UnforcedStore implements Deployment.Storage {
    /** What becomes of the base at a power cut. */
    enum BaseLoss {
        /** Its log is cut off somewhere. */
        UNFORCED,
        /** It is gone. */
        ABSENT,
        /** It is as it was at the stop before. */
        OLDER
    }

    private final Deployment world;
    private final int server;
    private final Path folder;
    private final Random random;
    private final List<SteppedThread> threads = new ArrayList<>();
    private MemoryFiles files;
    private Path base;
    private int incarnations;
    private long calls;
    private long stopAt = Long.MAX_VALUE;
    private boolean powerFails;
    private BaseLoss loss = BaseLoss.UNFORCED;
    private @Nullable Path basesBefore;
    private @Nullable EntryStore open;
    private boolean stopped;
    private String where = "";
    private long tailBytes;

    UnforcedStore(Deployment world, int server, Path folder, Random random) {
        this.world = world;
        this.server = server;
        this.folder = folder;
        this.random = random;
        this.files = new MemoryFiles("disk", () -> random.nextLong() | 1);
        files.beforeEachChange(this::called);
        this.base = folder.resolve("data-0");
    }

    /** A process that was stopped goes on with files of its own, which nobody reads. */
    private void called(MemoryFiles of) {
        if (files == of && calls++ == stopAt) {
            stop();
        }
    }

    private StoreOwner owner() {
        return new StoreOwner(
                world.deployment,
                NodeId.appserver(server),
                world.settings.get(server).sealer().publicKey());
    }

    /** The store is made, as by {@code aspas init}. */
    void make() throws IOException {
        StoreOnLayer.make(files, owner());
    }

    /** The call after so many more of them is not carried out: there the power is cut, or the process killed. */
    void stopAfter(long more, boolean power, BaseLoss lost) {
        stopAt = calls + more;
        powerFails = power;
        loss = lost;
    }

    /** The call at which it stopped, and how. */
    String where() {
        return where;
    }

    /** Whether the last stop took more from the base than a power cut does. */
    boolean lostBase() {
        return powerFails && loss != BaseLoss.UNFORCED;
    }

    boolean stopped() {
        return stopped;
    }

    /** How many bytes starts have cut off. */
    long tailBytes() {
        return tailBytes;
    }

    /** Stops now. The process may still run for a while; nothing that it does then matters. */
    void stop() {
        where = (powerFails ? "power cut" : "kill") + " at call " + calls + (lostBase() ? ", base " + loss : "");
        stopAt = Long.MAX_VALUE;
        stopped = true;
        world.stop(server);
        MemoryFiles left = files.copy();
        if (powerFails) {
            left.powerFails(
                    probability -> random.nextDouble() < probability,
                    random::nextInt,
                    new double[] {0, 0.3, 0.7, 0.95, 1}[random.nextInt(5)]);
        }
        files = left;
        threads.forEach(SteppedThread::kill);
        threads.clear();
        Path next = folder.resolve("data-" + ++incarnations);
        if (!powerFails || loss != BaseLoss.ABSENT) {
            Path from = powerFails && loss == BaseLoss.OLDER && basesBefore != null ? basesBefore : base;
            copy(from.resolve("base"), next.resolve("base"));
        }
        if (powerFails && loss == BaseLoss.UNFORCED) {
            cutLog(next.resolve("base"));
        }
        Path old = folder.resolve("older-" + incarnations);
        copy(next.resolve("base"), old.resolve("base"));
        basesBefore = old;
        base = next;
    }

    private static void copy(Path from, Path to) {
        try {
            Files.createDirectories(to);
            if (!Files.isDirectory(from)) {
                return;
            }
            try (Stream<Path> all = Files.list(from)) {
                for (Path file : all.sorted().toList()) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        } catch (NoSuchFileException whileItWasCompacted) {
            delete(to);
            copy(from, to);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void cutLog(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> logs = all.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
            int whole = logs.isEmpty() ? 0 : random.nextInt(logs.size());
            for (int i = whole; i < logs.size(); i++) {
                byte[] bytes = Files.readAllBytes(logs.get(i));
                int kept = i > whole ? 0 : random.nextInt(4) == 0 ? bytes.length : random.nextInt(bytes.length + 1);
                Files.write(logs.get(i), Arrays.copyOf(bytes, kept));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Writes the files as they are now into a directory of a server's data. */
    void copyTo(Path data) throws IOException {
        Path journal = Files.createDirectories(data.resolve(JournalStore.DIRECTORY));
        for (Map.Entry<String, byte[]> file : files.content().entrySet()) {
            Files.write(journal.resolve(file.getKey()), file.getValue());
        }
        copy(base.resolve("base"), data.resolve("base"));
    }

    /** Releases what the process had that does not run any more. */
    void release() {
        EntryStore was = open;
        open = null;
        if (was != null) {
            was.close();
        }
    }

    // ---- For the server ----

    @Override
    public void carryOut(Effect effect) {
        EntryStore store = open;
        if (store == null || stopped) {
            return;
        }
        if (effect instanceof Effect.Keep keep) {
            store.keep(keep);
        } else if (effect instanceof Effect.Persist persist) {
            store.append(persist.ticket(), persist.record(), new EntryStore.Progress() {
                @Override
                public void written(Ticket ticket) {
                    throw new AssertionError("nothing leaves before the disk has it");
                }

                @Override
                public void durable(Ticket ticket) {
                    if (open == store && !stopped) {
                        world.step(server, new Event.Persisted(ticket));
                    }
                }
            });
        }
    }

    /** Ends in order; false when it stopped meanwhile. */
    boolean end() {
        world.stop(server);
        release();
        return !stopped;
    }

    /** Opens the store; it may stop while it does. */
    @Override
    public @Nullable AppServerCore recovered() {
        release();
        stopped = false;
        try {
            EntryStore store = StoreOnLayer.open(files, base, owner(), name -> {
                SteppedThread made = new SteppedThread((delay, task) -> world.later(delay + random.nextInt(4), task));
                threads.add(made);
                return made;
            });
            open = store;
            tailBytes += store.tailCutBytes();
            if (stopped) {
                return null;
            }
            if (!store.state().equals(StoreState.GOOD)) {
                throw new IllegalStateException("LOST: " + store.state());
            }
            return AppServerCore.recover(world.settings.get(server), store.records(), store.state());
        } catch (IOException refused) {
            throw new UncheckedIOException("LOST: a healthy disk is refused: " + refused.getMessage(), refused);
        }
    }
}
