package org.aspas.appserver.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.BaseKeys;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.appserver.port.RestingObjects;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the newest image into the base, on a thread of its own: what changed since the image before, in one batch that is not forced. Images
 * that come while it writes, or rests after it, are skipped, but for the newest. It rests because what it writes costs the engine more later:
 * with a thousand clients that write at once each image has the records of all of them, and nothing but memory is saved by an earlier one. What is too long for one batch is written without a head, so that
 * half of it is never taken for all. Thread-safe.
 *
 * <p>When the base cannot be written, that is tried again, and the journal is not made shorter meanwhile. An image whose writing
 * began is written to its end before another one: the base may be the only one to have objects that did not change, so that it is
 * never begun anew once the core was told that it holds an image.
 */
final class BaseWriter implements AutoCloseable, BaseReader, RestingObjects {
    private static final Logger LOG = LoggerFactory.getLogger(BaseWriter.class);
    private static final long BATCH_BYTES = 4L << 20;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final long CLOSE_SECONDS = 60;
    /** After an image it rests so many times as long as it took to write it, but no longer than the longest rest. */
    private static final int RESTS = 15;

    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    private final NodeId self;
    private final BaseFiles files;
    private final ScheduledExecutorService thread;
    /** The time in nanoseconds from any origin, which only rises. */
    private final LongSupplier clock;

    private final AtomicReference<@Nullable BaseImage> latest = new AtomicReference<>();
    private final long room;
    /** Of the thread: what the base holds; null when that is not known. */
    private @Nullable BaseImage written;
    /** Of the thread: what it holds a part of; null when it holds all of one image. */
    private @Nullable BaseImage begun;
    /** What the core may count on. */
    private volatile CertificateNumber holds = CertificateNumber.NONE;
    /** How many objects the core has here alone. */
    private volatile long resting;
    /** What the core gave last; null for nothing so far. */
    private volatile @Nullable BaseImage newest;
    /** Of the thread: whether the files hold anything that is not of this process. */
    private boolean strange = true;
    /** Of the thread: whether it tries again by itself. */
    private boolean waiting;
    /** Until when it rests. */
    private volatile long restsUntil;
    /** The writing of the newest image after a rest. */
    private volatile Future<?> next = CompletableFuture.completedFuture(null);

    /** Why the files take nothing, in words for people; null while they do. */
    private volatile @Nullable String trouble;

    private final CompletableFuture<String> failure = new CompletableFuture<>();

    /**
     * A writer into these files, which it closes.
     *
     * @param room for how many bytes of objects the core has room in memory
     * @param clock the time in nanoseconds from any origin, which only rises
     */
    BaseWriter(
            NodeId self,
            BaseFiles files,
            long room,
            Function<String, ScheduledExecutorService> threads,
            LongSupplier clock) {
        this.self = self;
        this.files = files;
        this.room = room;
        this.thread = threads.apply("base-" + self.index());
        this.clock = clock;
        this.restsUntil = clock.getAsLong();
    }

    /** What the base holds from an earlier process; to be read before the first image is kept. */
    Optional<SavedBase> saved() {
        return files.saved();
    }

    /** Keeps an image, some time; returns at once. */
    void keep(Effect.Keep keep) {
        newest = keep.image();
        if (keep.held()) {
            execute(() -> {
                holds(keep.image());
                strange = false;
            });
        } else if (latest.getAndSet(keep.image()) == null) {
            writeAfterRest();
        }
    }

    private void writeAfterRest() {
        // A flush may have written what an earlier one was for; it would hold up the end of the thread for as long as
        // it waits.
        next.cancel(false);
        try {
            next = thread.schedule(
                    () -> supervised(this::writeLatest), restsUntil - clock.getAsLong(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("{} closes its base", self, closing);
        }
    }

    private void holds(BaseImage image) {
        written = image;
        begun = null;
        holds = image.number();
    }

    // ---- Reading ----

    @Override
    public long room() {
        return room;
    }

    @Override
    public CertificateNumber holds() {
        return holds;
    }

    @Override
    public boolean contents(byte[] from, byte[] to, SavedBase.Visitor visitor) {
        try {
            files.store().scanFew(from, to, visitor::take);
            return true;
        } catch (IOException unreadable) {
            LOG.error("{}: its base cannot be read: {}", self, unreadable.getMessage());
            return false;
        }
    }

    @Override
    public void rest(long objects) {
        resting = objects;
    }

    @Override
    public boolean any() {
        return resting > 0;
    }

    @Override
    public boolean rests(String key) {
        BaseImage image = newest;
        return image != null && image.rests(key);
    }

    @Override
    public void readAhead(String key) {
        Hash path = StateTree.objectPath(key);
        try {
            files.store().scanFew(BaseKeys.leaf(path, null), BaseKeys.end(path), (found, content) -> true);
        } catch (IOException unreadable) {
            LOG.debug("{}: the core will have to read this itself", self, unreadable);
        }
    }

    // ---- Writing ----

    /** Why the base cannot be written at present; empty while all is well. Nothing waits for it but a shorter journal. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Completes with why the base is not written any more. */
    CompletionStage<String> failure() {
        return failure;
    }

    /**
     * Writes what was kept so far, and makes it durable.
     *
     * @param done told then, on another thread; not told when the disk fails
     */
    void flush(Runnable done) {
        execute(() -> {
            if (flushed()) {
                done.run();
            }
        });
    }

    private void execute(Runnable task) {
        try {
            thread.execute(() -> supervised(task));
        } catch (RejectedExecutionException closing) {
            LOG.debug("{} closes its base", self, closing);
        }
    }

    private void supervised(Runnable task) {
        try {
            if (!failure.isDone()) {
                task.run();
            }
        } catch (RuntimeException | Error bug) {
            LOG.error("{} cannot go on: its base met a bug", self, bug);
            failure.complete("its base met a bug: " + bug);
        }
    }

    private boolean flushed() {
        writeLatest();
        if (written == null || begun != null || latest.get() != null) {
            return false;
        }
        try {
            files.store().flush();
            trouble = null;
            return true;
        } catch (IOException failed) {
            trouble = String.valueOf(failed.getMessage());
            LOG.warn("{} cannot make its base durable, and keeps its records: {}", self, failed.getMessage());
            return false;
        }
    }

    private void writeLatest() {
        try {
            BaseImage half = begun;
            if (half != null) {
                write(half);
            }
            BaseImage image = latest.getAndSet(null);
            if (image != null) {
                begun = image;
                write(image);
            }
            if (half != null) {
                trouble = null;
            }
        } catch (IOException | UncheckedIOException failed) {
            trouble = String.valueOf(failed.getMessage());
            LOG.warn("{} cannot write its base, and tries again: {}", self, failed.getMessage(), failed);
            if (!waiting) {
                waiting = true;
                thread.schedule(() -> supervised(this::writeAgain), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void writeAgain() {
        waiting = false;
        writeLatest();
    }

    private void write(BaseImage image) throws IOException {
        if (strange) {
            files.renew();
            strange = false;
        }
        long begin = clock.getAsLong();
        BaseStore store = files.store();
        try (BaseStore.Batch batch = store.batch()) {
            if (written == null) {
                batch.delete(BaseFiles.HEAD);
                batch.deleteRange(BaseFiles.FIRST_KEY, BaseFiles.END_OF_KEYS);
            }
            Writing writing = new Writing(store, batch, written == null);
            image.changesSince(written, writing);
            batch.put(BaseFiles.HEAD, image.head()).write();
            holds(image);
        }
        long end = clock.getAsLong();
        restsUntil = end + Math.min(RESTS * (end - begin), LONGEST_REST.toNanos());
    }

    /** Puts changes into a batch; a batch that becomes too long is written, after the head was removed. */
    private static final class Writing implements BaseImage.Changes {
        private final BaseStore store;
        private final BaseStore.Batch batch;
        private boolean headless;

        Writing(BaseStore store, BaseStore.Batch batch, boolean headless) {
            this.store = store;
            this.batch = batch;
            this.headless = headless;
        }

        @Override
        public void put(byte[] key, byte[] content) {
            change(() -> batch.put(key, content));
        }

        @Override
        public void remove(byte[] key) {
            change(() -> batch.delete(key));
        }

        @Override
        public void removeBelow(byte[] prefix) {
            byte[] first = Arrays.copyOf(prefix, prefix.length + 1);
            change(() -> batch.deleteRange(first, BaseStore.after(prefix)));
        }

        private void change(Change one) {
            try {
                one.apply();
                if (batch.bytes() > BATCH_BYTES) {
                    removeHead();
                    batch.write();
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private void removeHead() throws IOException {
            if (!headless) {
                try (BaseStore.Batch first = store.batch()) {
                    first.delete(BaseFiles.HEAD).write();
                }
                headless = true;
            }
        }
    }

    @FunctionalInterface
    private interface Change {
        void apply() throws IOException;
    }

    /** Writes what was kept, makes it durable, and releases the files; what the disk does not take is given up. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        execute(this::flushed);
        next.cancel(false);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} is slow to close its base", self);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        files.close();
    }
}
