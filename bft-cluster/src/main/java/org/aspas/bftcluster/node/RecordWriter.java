package org.aspas.bftcluster.node;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the record of a bftserver in order, on a thread of its own that waits for the disk. Thread-safe.
 *
 * <p>A disk that takes nothing, such as a full one, is tried again, item by item and in order: to the core it is a slow disk,
 * and nothing leaves that rests on what waits. When it has taken nothing for a minute the bftserver halts, so that what it
 * holds back stays bounded: whoever supervises the process starts it again, and it goes on from its record.
 */
final class RecordWriter implements AutoCloseable {
    private static final long CLOSE_SECONDS = 10;
    /** How long after a failed attempt the next one is made. */
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** How long a disk may take nothing before the bftserver halts. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);

    private final NodeId self;
    private final FileRecord file;
    private final ThreadSupervisor supervisor;
    private final Duration pause;
    private final Duration patience;
    private final ExecutorService thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Whether the disk took nothing when it was last tried. */
    private volatile boolean failing;
    /** Of the writer's thread: it tries no more. */
    private boolean givenUp;

    /** A writer of this file, which it closes. */
    RecordWriter(NodeId self, FileRecord file, ThreadSupervisor supervisor) {
        this(self, file, supervisor, PAUSE, PATIENCE);
    }

    /** A writer with another pause between two attempts, and another time after which the bftserver halts. */
    RecordWriter(NodeId self, FileRecord file, ThreadSupervisor supervisor, Duration pause, Duration patience) {
        this.self = self;
        this.file = file;
        this.supervisor = supervisor;
        this.pause = pause;
        this.patience = patience;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "record-" + self.index());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Writes an item, after those before it.
     *
     * @param done is told on the writer's thread that the item is durable, or that it never will be, for the bftserver ends;
     *     nobody is told after {@link #close}
     */
    void write(Effect.Persist persist, Consumer<Event> done) {
        thread.execute(() -> supervisor.run(() -> done.accept(written(persist))));
    }

    private Event written(Effect.Persist persist) {
        if (givenUp) {
            return new Event.RecordFailed();
        }
        try {
            file.append(persist.item());
        } catch (UncheckedIOException cause) {
            LOG.error("{} signs nothing until its record can be written: {}", self, cause.getMessage(), cause);
            failing = true;
            givenUp = !recovers(System.nanoTime());
            if (givenUp) {
                return new Event.RecordFailed();
            }
            failing = false;
            LOG.info("{} can write its record again, and signs", self);
        }
        return new Event.Persisted(persist.ticket());
    }

    /** Tries again until the disk takes what it did not take; false when that lasted too long, or at {@link #close}. */
    private boolean recovers(long since) {
        while (!closes()) {
            try {
                file.recover();
                return true;
            } catch (UncheckedIOException still) {
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

    /** Whether the disk took nothing when it was last tried. */
    boolean failing() {
        return failing;
    }

    /** Closes the file, after what is being written; what the disk does not take is given up. */
    @Override
    public void close() {
        closing.countDown();
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(file::close);
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
