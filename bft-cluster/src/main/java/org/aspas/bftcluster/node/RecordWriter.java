package org.aspas.bftcluster.node;

import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the record of a bftserver in order, on a thread of its own that waits for the disk. Thread-safe. */
final class RecordWriter implements AutoCloseable {
    private static final long CLOSE_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);

    private final NodeId self;
    private final FileRecord file;
    private final ThreadSupervisor supervisor;
    private final ExecutorService thread;
    /** Of the writer's thread. */
    private boolean failed;

    /** A writer of this file, which it closes. */
    RecordWriter(NodeId self, FileRecord file, ThreadSupervisor supervisor) {
        this.self = self;
        this.file = file;
        this.supervisor = supervisor;
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "record-" + self.index());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Writes an item, after those before it.
     *
     * @param done is told on the writer's thread that the item is durable, or that it could not be written; nobody is told
     *     after {@link #close}
     */
    void write(Effect.Persist persist, Consumer<Event> done) {
        thread.execute(() -> supervisor.run(() -> done.accept(written(persist))));
    }

    private Event written(Effect.Persist persist) {
        try {
            file.append(persist.item());
            return new Event.Persisted(persist.ticket());
        } catch (UncheckedIOException cause) {
            if (!failed) {
                LOG.error("{} signs nothing any more: its record failed", self, cause);
            }
            failed = true;
            return new Event.RecordFailed();
        }
    }

    /** Closes the file, after what is being written. */
    @Override
    public void close() {
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
