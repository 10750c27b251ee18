package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.aspas.appserver.port.RestingObjects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs the disk waits for it, in the order of its source, and nothing else does. */
class ObjectPrefetcherTest {
    /** A disk that is as slow as the test wants. */
    private static final class Disk implements RestingObjects {
        final List<String> read = Collections.synchronizedList(new ArrayList<>());
        final Map<String, CountDownLatch> stuck = new ConcurrentHashMap<>();
        final AtomicInteger reading = new AtomicInteger();
        /** What does not rest. */
        final Set<String> warm = ConcurrentHashMap.newKeySet();

        volatile boolean any = true;

        @Override
        public boolean any() {
            return any;
        }

        @Override
        public boolean rests(String key) {
            return !warm.contains(key);
        }

        @Override
        public void readAhead(String key) {
            CountDownLatch latch = stuck.get(key);
            reading.incrementAndGet();
            assertThat(latch == null || awaited(latch)).isTrue();
            read.add(key);
        }

        CountDownLatch stick(String key) {
            CountDownLatch latch = new CountDownLatch(1);
            stuck.put(key, latch);
            return latch;
        }
    }

    private final Disk disk = new Disk();
    private final ObjectPrefetcher ahead = new ObjectPrefetcher(disk, "ahead-test");
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        ahead.close();
    }

    private CompletableFuture<String> say(@Nullable Object source, String word, String... keys) {
        Supplier<CompletionStage<String>> tell = () -> {
            told.add(word);
            return CompletableFuture.completedStage("heard " + word);
        };
        return ahead.before(source, () -> List.of(keys), tell).toCompletableFuture();
    }

    private static void await(CompletableFuture<String> answer, String word) throws Exception {
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("heard " + word);
    }

    @Test
    void whereNothingRestsNobodyWaitsAndNobodyAsks() {
        disk.any = false;
        Supplier<List<String>> unasked = () -> {
            throw new AssertionError("no key is asked for");
        };
        assertThat(ahead.before("a", unasked, () -> CompletableFuture.completedStage("heard")))
                .isCompletedWithValue("heard");
        assertThat(ahead.count()).isZero();
    }

    @Test
    void theCoreIsToldAfterTheObjectsWereRead() throws Exception {
        CountDownLatch slow = disk.stick("two");
        CompletableFuture<String> answer = say("a", "word", "one", "two", "three");
        assertThat(told).isEmpty();
        slow.countDown();
        await(answer, "word");
        assertThat(disk.read).containsExactly("one", "two", "three");
        assertThat(ahead.count()).isEqualTo(3);
    }

    @Test
    void aSlowDiskHoldsUpItsOwnSourceOnlyAndThatInOrder() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        CompletableFuture<String> first = say("a", "a1", "cold");
        CompletableFuture<String> second = say("a", "a2");
        CompletableFuture<String> third = say("a", "a3", "other");
        assertThat(say("b", "b1")).isCompletedWithValue("heard b1");
        await(say("b", "b2", "warm"), "b2");
        await(say(null, "c", "cool"), "c");
        assertThat(told).containsExactly("b1", "b2", "c");
        slow.countDown();
        await(first, "a1");
        await(second, "a2");
        await(third, "a3");
        assertThat(told).containsExactly("b1", "b2", "c", "a1", "a2", "a3");
    }

    @Test
    void whatWaitsForOneReadDoesNotWaitForThoseOfOthers() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        CompletableFuture<String> first = say("a", "a1", "cold");
        CompletableFuture<String> second = say("a", "a2");
        CountDownLatch slower = disk.stick("colder");
        List<CompletableFuture<String>> others = new ArrayList<>();
        for (int other = 0; other < 20; other++) {
            others.add(say("b" + other, "b" + other, "colder"));
        }
        slow.countDown();
        await(first, "a1");
        await(second, "a2");
        assertThat(others).noneMatch(CompletableFuture::isDone);
        slower.countDown();
        for (int other = 0; other < 20; other++) {
            await(others.get(other), "b" + other);
        }
    }

    @Test
    void aWordIsToldBeforeTheNextOneThatCameMeanwhile() throws Exception {
        CountDownLatch telling = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletionStage<String> first = ahead.before("a", () -> List.of("cold"), () -> {
            telling.countDown();
            assertThat(awaited(mayEnd)).isTrue();
            told.add("a1");
            return CompletableFuture.completedStage("heard a1");
        });
        assertThat(awaited(telling)).isTrue();
        CompletableFuture<String> second = say("a", "a2");
        assertThat(second).isNotDone();
        mayEnd.countDown();
        await(first.toCompletableFuture(), "a1");
        await(second, "a2");
        assertThat(told).containsExactly("a1", "a2");
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void whoCannotBeToldHoldsNobodyUp() throws Exception {
        CompletionStage<String> failing = ahead.before("a", () -> List.of("cold"), () -> {
            throw new IllegalStateException("a bug");
        });
        CompletableFuture<String> second = say("a", "a2", "cool");
        await(second, "a2");
        assertThat(failing.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void anObjectIsReadOnceForOneEvent() throws Exception {
        await(say("a", "a1", "cold", "cool", "cold"), "a1");
        assertThat(disk.read).containsExactly("cold", "cool");
    }

    @Test
    void wordsWhoseOrderDoesNotCountDoNotWaitForEachOther() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        CompletableFuture<String> first = say(null, "first", "cold");
        await(say(null, "second", "warm"), "second");
        slow.countDown();
        await(first, "first");
    }

    @Test
    void onlyWhatRestsIsRead() throws Exception {
        disk.warm.add("warm");
        assertThat(say("a", "a1", "warm")).isCompletedWithValue("heard a1");
        await(say("a", "a2", "warm", "cold"), "a2");
        assertThat(disk.read).containsExactly("cold");
    }

    @Test
    void oneLineReadsAsFastAsTheDiskAllows() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        CompletableFuture<String> first = say("a", "a1", "cold");
        CompletableFuture<String> second = say("a", "a2", "cool");
        await(say(null, "other", "k"), "other");
        // The second object was read, though the first one was not yet.
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> disk.read.contains("cool"));
        assertThat(told).containsExactly("other");
        slow.countDown();
        await(first, "a1");
        await(second, "a2");
    }

    @Test
    void whenTooMuchWaitsTheRestIsLeftToTheCore() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        List<CompletableFuture<String>> waiting = new ArrayList<>();
        for (int word = 0; word < ObjectPrefetcher.MOST_WAITING + 4; word++) {
            waiting.add(say(null, "w" + word, "cold"));
            assertThat(waiting.get(word)).isNotDone();
            if (word < 4) {
                int reading = word + 1;
                Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> disk.reading.get() == reading);
            }
        }
        assertThat(say(null, "late", "cold")).isCompletedWithValue("heard late");
        slow.countDown();
        for (CompletableFuture<String> one : waiting) {
            one.get(60, TimeUnit.SECONDS);
        }
        assertThat(ahead.count()).isEqualTo(ObjectPrefetcher.MOST_WAITING + 4);
    }

    @Test
    void ofOneEventSoManyObjectsAreRead() throws Exception {
        String[] keys = IntStream.rangeClosed(0, ObjectPrefetcher.MOST_OBJECTS)
                .mapToObj(key -> "k" + key)
                .toArray(String[]::new);
        await(say("a", "a1", keys), "a1");
        assertThat(disk.read).hasSize(ObjectPrefetcher.MOST_OBJECTS);
    }

    @Test
    void aLongLineIsNoDeepStack() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        say("a", "first", "cold");
        CompletableFuture<String> last = CompletableFuture.completedFuture("");
        for (int word = 0; word < 50_000; word++) {
            last = say("a", "word", "");
        }
        disk.any = false;
        last = say("a", "last");
        slow.countDown();
        await(last, "last");
    }

    @Test
    void whatWaitsIsToldInOrderAlsoWhenNothingRestsAnyMore() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        CompletableFuture<String> first = say("a", "a1", "cold");
        disk.any = false;
        CompletableFuture<String> second = say("a", "a2", "k");
        assertThat(told).isEmpty();
        slow.countDown();
        await(first, "a1");
        await(second, "a2");
        assertThat(told).containsExactly("a1", "a2");
        assertThat(disk.read).containsExactly("cold");
    }

    @Test
    void afterTheEndTheCoreIsToldAndNothingIsRead() throws Exception {
        CountDownLatch slow = disk.stick("cold");
        CompletableFuture<String> before = say("a", "a1", "cold", "never");
        CompletableFuture<String> behind = say("a", "a2");
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> disk.reading.get() > 0);
        ahead.close();
        assertThat(say("b", "b1", "k")).isCompletedWithValue("heard b1");
        slow.countDown();
        await(before, "a1");
        await(behind, "a2");
        assertThat(disk.read).containsExactly("cold");
    }

    @Test
    void aDiskThatFailsHoldsNobodyUp() throws Exception {
        ObjectPrefetcher broken = new ObjectPrefetcher(
                new RestingObjects() {
                    @Override
                    public boolean any() {
                        return true;
                    }

                    @Override
                    public boolean rests(String key) {
                        return true;
                    }

                    @Override
                    public void readAhead(String key) {
                        throw new IllegalStateException("a broken disk");
                    }
                },
                "ahead-broken");
        for (int word = 0; word < 3; word++) {
            int key = word;
            CompletionStage<String> answer =
                    broken.before("a", () -> List.of("k" + key), () -> CompletableFuture.completedStage("heard"));
            assertThat(answer.toCompletableFuture().get(60, TimeUnit.SECONDS)).isEqualTo("heard");
        }
        broken.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void eachSourceIsHeardInItsOrder(long seed) throws Exception {
        int sources = 5;
        int words = 400;
        ConcurrentLinkedQueue<int[]> heard = new ConcurrentLinkedQueue<>();
        List<Thread> speakers = new ArrayList<>();
        List<CompletableFuture<Object>> answers = Collections.synchronizedList(new ArrayList<>());
        for (int source = 0; source < sources; source++) {
            int mine = source;
            Random random = new Random(seed * 100 + source);
            Thread speaker = new Thread(() -> {
                for (int word = 0; word < words; word++) {
                    int now = word;
                    disk.any = random.nextInt(20) > 0;
                    List<String> keys = random.nextBoolean() ? List.of("k" + random.nextInt(1 << 20)) : List.of();
                    answers.add(ahead.<Object>before(mine, () -> keys, () -> {
                                heard.add(new int[] {mine, now});
                                return CompletableFuture.completedStage("heard");
                            })
                            .toCompletableFuture());
                    if (random.nextInt(8) == 0) {
                        LockSupport.parkNanos(random.nextInt(100_000));
                    }
                }
            });
            speakers.add(speaker);
            speaker.start();
        }
        for (Thread speaker : speakers) {
            speaker.join();
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        Map<Integer, Integer> next = new HashMap<>();
        for (int[] word : heard) {
            assertThat(word[1]).as("source %s, seed %s", word[0], seed).isEqualTo(next.getOrDefault(word[0], 0));
            next.put(word[0], word[1] + 1);
        }
        assertThat(next)
                .hasSize(sources)
                .allSatisfy((source, count) -> assertThat(count).isEqualTo(words));
    }
}
