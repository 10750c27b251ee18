package org.aspas.bftcluster.node;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.step.Ticket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the record of a bftserver in order, on a thread of its own that waits for the disk. All items that come while it
 * waits share the next sync. Thread-safe.
 *
 * <p>A disk that takes nothing, such as a full one, is tried again: to the core it is a slow disk, and nothing leaves that
 * rests on what waits. When it has taken nothing for a minute the bftserver halts, so that what it holds back stays bounded:
 * whoever supervises the process starts it again, and it goes on from its record.
 */
final class RecordWriter implements AutoCloseable {
    private static final long CLOSE_SECONDS = 10;
    /** How long after a failed attempt the next one is made. */
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** How long writes may fail before the bftserver halts. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);

    private final NodeId self;
    private final DurableRecord record;
    private final ThreadSupervisor supervisor;
    private final Consumer<Event> core;
    private final Duration pause;
    private final Duration patience;
    private final ExecutorService thread;
    private final Queue<Effect.Persist> waiting = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Whether the last write failed. */
    private volatile boolean failing;
    /** Of the writer's thread: it tries no more. */
    private boolean givenUp;

    /**
     * A writer of this record, which it closes.
     *
     * @param core is told on the writer's thread up to which ticket items are durable, or that the others never will be, for
     *     the bftserver ends; it is told nothing after {@link #close}
     */
    RecordWriter(NodeId self, DurableRecord record, ThreadSupervisor supervisor, Consumer<Event> core) {
        this(self, record, supervisor, core, PAUSE, PATIENCE);
    }

    /** A writer with another pause between two attempts, and another time after which the bftserver halts. */
    RecordWriter(
            NodeId self,
            DurableRecord record,
            ThreadSupervisor supervisor,
            Consumer<Event> core,
            Duration pause,
            Duration patience) {
        this.self = self;
        this.record = record;
        this.supervisor = supervisor;
        this.core = core;
        this.pause = pause;
        this.patience = patience;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "record-" + self.index());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Writes an item, after those before it. */
    void write(Effect.Persist persist) {
        waiting.add(persist);
        thread.execute(() -> supervisor.run(this::writeWaiting));
    }

    private void writeWaiting() {
        Ticket last = Ticket.NONE;
        for (Effect.Persist next = waiting.poll(); next != null; next = waiting.poll()) {
            record.append(next.item());
            last = next.ticket();
        }
        if (!last.equals(Ticket.NONE)) {
            core.accept(synced() ? new Event.Persisted(last) : new Event.RecordFailed());
        }
    }

    private boolean synced() {
        if (givenUp) {
            return false;
        }
        try {
            record.sync();
        } catch (IOException cause) {
            LOG.error("{} signs nothing until its record can be written: {}", self, cause.getMessage(), cause);
            failing = true;
            givenUp = !recovers(System.nanoTime());
            if (givenUp) {
                return false;
            }
            failing = false;
            LOG.info("{} can write its record again, and signs", self);
        }
        return true;
    }

    /** Tries again until the disk takes what it did not take; false when that lasted too long, or at {@link #close}. */
    private boolean recovers(long since) {
        while (!closes()) {
            try {
                record.sync();
                return true;
            } catch (IOException still) {
                LOG.debug("{} still cannot write its record", self, still);
                if (System.nanoTime() - since >= patience.toNanos()) {
                    supervisor.fail("its record could not be written for " + patience.toSeconds() + " s: "
                            + still.getMessage());
                    return false;
                }
            }
        }
        return false;
    }

    /** Waits for the next attempt; whether there is to be none. */
    private boolean closes() {
        try {
            return closing.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    boolean failing() {
        return failing;
    }

    /** Closes the record, after what is being written; what the disk does not take is given up. */
    @Override
    public void close() {
        closing.countDown();
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(record::close);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} is slow to close its record", self);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
