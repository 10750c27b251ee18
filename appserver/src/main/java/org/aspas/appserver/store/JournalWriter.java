package org.aspas.appserver.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.step.Ticket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an appserver's records in order, on a thread of its own that waits for the disk. All records that come while it waits
 * share the next sync. Thread-safe.
 *
 * <p>A disk that takes nothing, such as a full one, is tried again: to the core it is a slow disk, and nothing leaves that rests
 * on what waits. When it has taken nothing for a minute the writer gives up, so that what waits stays bounded, and the server is to
 * halt: whoever supervises the process starts it again, and it goes on from its store.
 */
final class JournalWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);
    private static final long CLOSE_SECONDS = 10;

    /**
     * How long to wait.
     *
     * @param pause between two attempts
     * @param patience for how long a disk may take nothing
     * @param forced how long records that are written may wait to be forced, where answers do not wait for that
     */
    record Patience(Duration pause, Duration patience, Duration forced) {
        static final Patience USUAL =
                new Patience(Duration.ofMillis(500), Duration.ofMinutes(1), Duration.ofMillis(20));
    }

    private record Waiting(Ticket ticket, byte[] record, EntryStore.Progress progress) {}

    /** An attempt to have the journal do something. */
    @FunctionalInterface
    private interface Attempt {
        void run() throws IOException;
    }

    private final NodeId self;
    private final Journal journal;
    private final JournalShortening shortening;
    private final @Nullable BaseWriter base;
    private final Durability durability;
    private final boolean whole;
    private final Patience patience;
    private final ScheduledExecutorService thread;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    /** Written by the thread alone. */
    private volatile String trouble = "";

    private final Failpoint failpoint = Failpoint.ofProcess();
    /** Of the thread: what is written and not forced. */
    private @Nullable Waiting unforced;
    /** Of the thread: the journal is closed. */
    private boolean ended;

    /**
     * A writer of this journal, which it closes.
     *
     * @param base what has to be durable before older records go; null when there is none, and they stay
     * @param whole whether the journal holds all that the server promised, so that its end may be noted as one in order
     */
    JournalWriter(
            NodeId self,
            Journal journal,
            JournalShortening shortening,
            @Nullable BaseWriter base,
            Durability durability,
            boolean whole,
            StoreSurroundings around) {
        this.self = self;
        this.journal = journal;
        this.shortening = shortening;
        this.base = base;
        this.durability = durability;
        this.whole = whole;
        this.patience = around.patience();
        this.thread = around.threads().apply("store-" + self.index());
    }

    /** Writes a record after those before it; never waits. */
    void write(Ticket ticket, byte[] record, EntryStore.Progress progress) {
        waiting.add(new Waiting(ticket, record, progress));
        if (closing.getCount() > 0 && due.compareAndSet(false, true)) {
            execute(this::writeWaiting, Duration.ZERO);
        }
    }

    /** Runs a task on the thread, unless this is closing: then the end does what is left. */
    private void execute(Runnable task, Duration later) {
        try {
            thread.schedule(() -> supervised(task), later.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("{} closes its store", self, closing);
        }
    }

    /** Why the disk takes nothing at present; empty while it does. */
    Optional<String> trouble() {
        return Optional.of(trouble).filter(why -> !why.isEmpty());
    }

    /** Completes with why nothing more is written. */
    CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    private void supervised(Runnable task) {
        try {
            if (!failure.isDone() && !ended) {
                task.run();
            }
        } catch (RuntimeException | Error bug) {
            LOG.error("{} cannot go on: its store met a bug", self, bug);
            failure.complete("its store met a bug: " + bug);
        }
    }

    private void writeWaiting() {
        due.set(false);
        Waiting last = null;
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            if (JournalShortening.begins(next.record()) && !succeeds(this::newSegment)) {
                return;
            }
            shortening.append(next.record());
            last = next;
            if (failpoint.inside(next.record())) {
                endInside(next.record());
            }
        }
        if (last == null) {
            return;
        }
        failpoint.reach(Failpoint.BEFORE_WRITE);
        if (durability == Durability.OS) {
            writeEarly(last);
        } else {
            unforced = last;
            force();
        }
    }

    private void newSegment() throws IOException {
        journal.sync();
        journal.newSegment();
    }

    private void endInside(byte[] record) {
        succeeds(journal::write);
        failpoint.reachInside(record);
    }

    private void writeEarly(Waiting last) {
        if (succeeds(journal::write)) {
            last.progress().written(last.ticket());
            if (unforced == null) {
                execute(this::force, patience.forced());
            }
            unforced = last;
        }
    }

    private void force() {
        Waiting last = unforced;
        unforced = null;
        if (last != null && succeeds(this::writeAndForce)) {
            last.progress().durable(last.ticket());
            shortening.durable().ifPresent(this::shorten);
        }
    }

    /** A sum is durable. Once the base is, too, what is before it can go. */
    private void shorten(long sum) {
        if (base != null) {
            base.flush(() -> execute(() -> drop(sum), Duration.ZERO));
        }
    }

    private void drop(long sum) {
        try {
            shortening.dropBelow(sum);
        } catch (IOException failed) {
            LOG.warn("{} keeps old records for now: {}", self, failed.getMessage());
        }
    }

    private void writeAndForce() throws IOException {
        journal.write();
        failpoint.reach(Failpoint.BEFORE_SYNC);
        journal.sync();
    }

    private boolean succeeds(Attempt attempt) {
        try {
            attempt.run();
            return true;
        } catch (IOException cause) {
            LOG.error("{} promises nothing until its store can be written: {}", self, cause.getMessage(), cause);
            trouble = String.valueOf(cause.getMessage());
            return recovers(attempt, System.nanoTime());
        }
    }

    /** Tries again until the disk takes what it did not take; false when that lasted too long, or at {@link #close}. */
    private boolean recovers(Attempt attempt, long since) {
        while (!closes()) {
            try {
                attempt.run();
                trouble = "";
                LOG.info("{} can write its store again", self);
                return true;
            } catch (IOException still) {
                LOG.debug("{} still cannot write its store", self, still);
                trouble = String.valueOf(still.getMessage());
                if (System.nanoTime() - since >= patience.patience().toNanos()) {
                    failure.complete("its store could not be written for "
                            + patience.patience().toSeconds() + " s: " + still.getMessage());
                    return false;
                }
            }
        }
        return false;
    }

    /** Waits for the next attempt; whether there is to be none. */
    private boolean closes() {
        try {
            return closing.await(patience.pause().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Writes what waits, notes the end, and closes the journal; what the disk does not take is given up. */
    @Override
    public void close() {
        closing.countDown();
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> {
            supervised(this::end);
            ended = true;
            journal.close();
        });
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} is slow to close its store", self);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            shortening.append(next.record());
        }
        if (whole) {
            journal.append(StoreRecord.ended());
        }
        try {
            journal.sync();
        } catch (IOException lost) {
            LOG.error("{} ends without its last records: {}", self, lost.getMessage(), lost);
        }
    }

    /**
     * Ends the process at a chosen place of the store, as a power cut or a {@code kill -9} would, for tests of the whole program:
     * {@code -Daspas.failpoint=before-write:20} at the twentieth group of records, {@code in-certificate:20} at the twentieth
     * certificate. For one thread.
     */
    private static final class Failpoint {
        /** Records were taken, and nothing of them is written. */
        static final String BEFORE_WRITE = "before-write";
        /** Records are written, and the disk need not have them. */
        static final String BEFORE_SYNC = "before-sync";
        /** The head of a snapshot is written, and what came after it is not. */
        static final String SNAPSHOT_HEAD = "snapshot-head";
        /** A part of a snapshot is written, and what came after it is not. */
        static final String SNAPSHOT_PART = "snapshot-part";
        /** It is written that a snapshot is installed, and what came after that is not. */
        static final String SNAPSHOT_END = "snapshot-end";
        /** A certificate is written, what came after it is not, and the disk need not have it. */
        static final String IN_CERTIFICATE = "in-certificate";

        private static final Map<Byte, String> INSIDE = Map.of(
                Records.SNAPSHOT_HEAD, SNAPSHOT_HEAD,
                Records.SNAPSHOT_CHUNK, SNAPSHOT_PART,
                Records.SNAPSHOT_INSTALLED, SNAPSHOT_END,
                Records.CERTIFICATE, IN_CERTIFICATE);

        private static final Logger LOG = LoggerFactory.getLogger(Failpoint.class);
        private static final String PROPERTY = "aspas.failpoint";
        private static final int KILLED = 137;
        /** What left too early has this long to arrive, so that somebody can say that it was lost. */
        private static final long PAUSE_NANOS = 1_000_000_000;

        private final String place;
        private long left;

        private Failpoint(String place, long left) {
            this.place = place;
            this.left = left;
        }

        /** What the process was started with; usually nothing, and then it never ends anything. */
        static Failpoint ofProcess() {
            String[] chosen = System.getProperty(PROPERTY, ":0").split(":", 2);
            return new Failpoint(chosen[0], chosen.length < 2 ? 1 : Long.parseLong(chosen[1]));
        }

        /** Whether the process is to end right behind this record of a group, before the ones after it. */
        boolean inside(byte[] record) {
            return left > 0 && record.length > 0 && place.equals(INSIDE.get(record[0]));
        }

        void reachInside(byte[] record) {
            reach(INSIDE.getOrDefault(record[0], ""));
        }

        /** Ends the process if this is the chosen place, reached as often as chosen. */
        void reach(String where) {
            if (where.equals(place) && --left == 0) {
                if (!INSIDE.containsValue(where)) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                LOG.error("failpoint {}: the process ends", where);
                Runtime.getRuntime().halt(KILLED);
            }
        }
    }
}
