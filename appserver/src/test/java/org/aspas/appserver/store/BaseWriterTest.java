package org.aspas.appserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.Effect;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The base while its disk fails: what it holds is always one whole image, or on its way to the next one. */
class BaseWriterTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    /** An image of a few keys, which fails as often as it is told to while it is written. */
    private static final class Image implements BaseImage {
        private final long number;
        private final Map<String, String> keys;
        private final String resting;
        private int failures;
        private @Nullable RuntimeException failure;
        private Runnable cost = () -> {};

        Image(long number, Map<String, String> keys) {
            this(number, keys, "likes");
        }

        Image(long number, Map<String, String> keys, String resting) {
            this.number = number;
            this.resting = resting;
            this.keys = new TreeMap<>(keys);
        }

        Image failing(int times, RuntimeException with) {
            failures = times;
            failure = with;
            return this;
        }

        Image taking(AtomicLong clock, long millis) {
            cost = () -> clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
            return this;
        }

        @Override
        public CertificateNumber number() {
            return new CertificateNumber(number);
        }

        @Override
        public boolean rests(String key) {
            return key.equals(resting);
        }

        @Override
        public byte[] head() {
            return new byte[] {(byte) number};
        }

        @Override
        public void changesSince(@Nullable BaseImage before, Changes changes) {
            cost.run();
            Map<String, String> held = before instanceof Image image ? image.keys : Map.of();
            keys.forEach((key, value) -> {
                if (!value.equals(held.get(key))) {
                    changes.put(bytes("s" + key), bytes(value));
                }
            });
            held.keySet().stream()
                    .filter(key -> !keys.containsKey(key))
                    .forEach(key -> changes.remove(bytes("s" + key)));
            RuntimeException thrown = failure;
            if (thrown != null && failures-- > 0) {
                throw thrown;
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static StoreOwner owner() {
        return new StoreOwner(
                Hash.ZERO,
                NodeId.appserver(0),
                SigningKey.of(Hash.sha256(new byte[] {1}).toBytes()).publicKey());
    }

    private BaseWriter open() throws IOException {
        return open(Executors.newSingleThreadScheduledExecutor());
    }

    private BaseWriter open(ScheduledExecutorService thread) throws IOException {
        return open(thread, System::nanoTime);
    }

    private BaseWriter open(ScheduledExecutorService thread, LongSupplier clock) throws IOException {
        return new BaseWriter(NodeId.appserver(0), BaseFiles.open(data, owner()), 0, name -> thread, clock);
    }

    private static void flush(BaseWriter base) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        base.flush(done::countDown);
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static List<String> held(BaseWriter base) {
        List<String> held = new ArrayList<>();
        assertThat(base.contents(
                        bytes("s"),
                        bytes("t"),
                        (key, content) -> held.add(new String(key, StandardCharsets.UTF_8) + "="
                                + new String(content, StandardCharsets.UTF_8))))
                .isTrue();
        return held;
    }

    @Test
    void anImageWhoseWritingFailedIsWrittenToItsEndBeforeAnotherOne() throws Exception {
        try (BaseWriter base = open()) {
            assertThat(base.holds()).isEqualTo(CertificateNumber.NONE);
            base.keep(new Effect.Keep(new Image(1, Map.of("a", "1", "b", "1")), false));
            flush(base);
            assertThat(base.holds()).isEqualTo(new CertificateNumber(1));
            IOException full = new IOException("no space left");
            // Longer than a batch: a part of it is written before the failure.
            String large = "2".repeat(5 << 20);
            base.keep(new Effect.Keep(
                    new Image(2, Map.of("a", large, "b", "1", "c", "2")).failing(2, new UncheckedIOException(full)),
                    false));
            base.flush(() -> {});
            // The next image has what the failed one changed as it was before that.
            base.keep(new Effect.Keep(new Image(3, Map.of("a", "1", "b", "3")), false));
            flush(base);
            assertThat(base.holds()).isEqualTo(new CertificateNumber(3));
            assertThat(held(base)).containsExactly("sa=1", "sb=3");
            assertThat(base.failure().toCompletableFuture()).isNotDone();
        }
        try (BaseWriter again = open()) {
            assertThat(again.holds()).as("nothing before this process says so").isEqualTo(CertificateNumber.NONE);
            assertThat(again.saved().orElseThrow().head()).containsExactly(3);
            assertThat(held(again)).containsExactly("sa=1", "sb=3");
        }
    }

    /** What is scheduled for later waits for a day, and runs when the test says so. */
    private static final class Rests extends ScheduledThreadPoolExecutor {
        private final List<Long> millis = new ArrayList<>();
        private final List<Runnable> later = new ArrayList<>();

        Rests() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (delay <= 0) {
                return super.schedule(task, delay, unit);
            }
            millis.add(unit.toMillis(delay));
            later.add(task);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        void over() throws Exception {
            for (Runnable task : later) {
                submit(task).get();
            }
            later.clear();
        }
    }

    @Test
    void itRestsAfterAnImageAsLongAsThatWasCostly() throws Exception {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
        Rests rests = new Rests();
        try (BaseWriter base = open(rests, nanos::get)) {
            base.keep(new Effect.Keep(new Image(1, Map.of("a", "1")).taking(nanos, 100), false));
            rests.submit(() -> {}).get();
            assertThat(base.holds()).as("at once").isEqualTo(new CertificateNumber(1));
            base.keep(new Effect.Keep(new Image(2, Map.of("a", "2")), false));
            base.keep(new Effect.Keep(new Image(3, Map.of("a", "3")).taking(nanos, 900), false));
            assertThat(rests.millis).containsExactly(1_500L);
            assertThat(base.holds()).isEqualTo(new CertificateNumber(1));
            rests.over();
            assertThat(base.holds()).isEqualTo(new CertificateNumber(3));
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1_000));
            base.keep(new Effect.Keep(new Image(4, Map.of("a", "4")), false));
            assertThat(rests.millis).as("no longer than the longest").containsExactly(1_500L, 4_000L);
            flush(base);
            assertThat(base.holds()).as("a sum waits for it").isEqualTo(new CertificateNumber(4));
            base.keep(new Effect.Keep(new Image(5, Map.of("a", "5")), false));
        }
        assertThat(rests.isTerminated()).as("no rest holds up the end").isTrue();
        try (BaseWriter again = open()) {
            assertThat(held(again)).as("what was kept before the end").containsExactly("sa=5");
        }
    }

    @Test
    void aBaseOfTheLayoutBeforeIsReadAndBecomesOneOfThisLayout() throws Exception {
        try (BaseWriter base = open()) {
            base.keep(new Effect.Keep(new Image(1, Map.of("a", "1")), false));
        }
        byte[] owner = bytes("o");
        for (byte layout : new byte[] {2, 1, 4}) {
            try (BaseStore store = BaseStore.open(data.resolve(BaseFiles.DIRECTORY));
                    BaseStore.Batch batch = store.batch()) {
                byte[] written = store.get(owner).orElseThrow();
                assertThat(written[0]).isEqualTo((byte) (layout == 4 ? 1 : 3));
                written[0] = layout;
                batch.put(owner, written).write();
            }
            try (BaseFiles.Opened read = BaseFiles.read(data, owner())) {
                assertThat(read.saved().isPresent()).isEqualTo(layout == 2);
            }
            try (BaseWriter base = open()) {
                assertThat(base.saved().isPresent()).isEqualTo(layout == 2);
            }
        }
    }

    @Test
    void aBaseThatCannotBeWrittenSaysWhyUntilItIs() throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try (BaseWriter base = open(thread)) {
            assertThat(base.trouble()).isEmpty();
            UncheckedIOException full = new UncheckedIOException("it", new IOException("no space left"));
            base.keep(new Effect.Keep(new Image(1, Map.of("a", "1")).failing(2, full), false));
            thread.submit(() -> {}).get();
            assertThat(base.trouble()).contains("it");
            base.flush(() -> {});
            base.keep(new Effect.Keep(new Image(2, Map.of("a", "2")), false));
            thread.submit(() -> {}).get();
            assertThat(base.holds()).isEqualTo(new CertificateNumber(2));
            assertThat(base.trouble()).isEmpty();
        }
    }

    @Test
    void aBugEndsTheServerForWhatTheBaseHoldsIsNotKnownAnyMore() throws Exception {
        try (BaseWriter base = open()) {
            base.keep(new Effect.Keep(
                    new Image(1, Map.of("a", "1")).failing(1, new IllegalStateException("a bug")), false));
            assertThat(base.failure().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .contains("a bug");
            assertThat(base.holds()).isEqualTo(CertificateNumber.NONE);
        }
    }

    @Test
    void itReadsAheadWhileObjectsRestAndFailsInSilence() throws Exception {
        BaseWriter base = open();
        assertThat(base.any()).isFalse();
        base.rest(2);
        assertThat(base.any()).isTrue();
        assertThat(base.rests("likes")).as("before the first image").isFalse();
        base.keep(new Effect.Keep(new Image(1, Map.of()), false));
        assertThat(base.rests("likes")).isTrue();
        assertThat(base.rests("views")).isFalse();
        base.keep(new Effect.Keep(new Image(2, Map.of(), "views"), true));
        assertThat(base.rests("views")).isTrue();
        base.readAhead("likes");
        base.rest(0);
        assertThat(base.any()).isFalse();
        base.close();
        assertThatNoException().isThrownBy(() -> base.readAhead("likes"));
    }
}
