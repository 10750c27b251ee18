package org.aspas.appserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.JournalInspection;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.certify.step.Ticket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store on a real file system: what it keeps, when it says so, and what it says when it cannot know. */
class JournalStoreTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {3});
    private static final JournalWriter.Patience QUICK =
            new JournalWriter.Patience(Duration.ofMillis(5), Duration.ofHours(1), Duration.ofMillis(5));
    private static final String BOOT = "boot-1";

    @TempDir
    private Path data;

    private final Told told = new Told();

    /** What the store told. */
    private static final class Told implements EntryStore.Progress {
        final List<String> words = new CopyOnWriteArrayList<>();

        @Override
        public void written(Ticket ticket) {
            words.add("written " + ticket);
        }

        @Override
        public void durable(Ticket ticket) {
            words.add("durable " + ticket);
        }

        void await(String word) {
            Awaitility.await().atMost(LONG).until(() -> words.contains(word));
        }
    }

    private static StoreOwner owner(int key) {
        SigningKey made = SigningKey.of(Hash.sha256(new byte[] {(byte) key}).toBytes());
        return new StoreOwner(DEPLOYMENT, NodeId.appserver(1), made.publicKey());
    }

    @BeforeEach
    void make() throws IOException {
        JournalStore.make(data, owner(1));
    }

    private Path journal() {
        return data.resolve("journal");
    }

    private SlowFiles files() throws IOException {
        return new SlowFiles(DirectoryFiles.open(journal()));
    }

    private static EntryStore open(SlowFiles files, Durability durability, String boot) throws IOException {
        return JournalStore.open(
                files,
                Optional.empty(),
                owner(1),
                durability,
                StoreSurroundings.here().with(boot, QUICK));
    }

    private EntryStore open(Durability durability) throws IOException {
        return JournalStore.open(data, owner(1), durability);
    }

    private static byte[] record(long number) {
        return ("\1record " + number).getBytes(StandardCharsets.US_ASCII);
    }

    private void append(EntryStore store, long from, long to) {
        for (long number = from; number <= to; number++) {
            assertThat(store.append(new Ticket(number), record(number), told)).isFalse();
        }
    }

    private static List<String> kept(EntryStore store) {
        List<String> kept = new ArrayList<>();
        store.records().forEach(one -> kept.add(new String(one, StandardCharsets.US_ASCII)));
        return kept;
    }

    private static List<String> numbered(long to) {
        return Stream.iterate(1L, number -> number + 1)
                .limit(to)
                .map(number -> "\1record " + number)
                .toList();
    }

    private static String why(EntryStore store) {
        return store.state() instanceof StoreState.Amnesiac lost ? lost.reason() : "";
    }

    @Test
    void recordsComeBackInOrderAfterAnEndAndAfterAKill() throws IOException {
        try (EntryStore store = open(Durability.SYNC)) {
            assertThat(kept(store)).isEmpty();
            append(store, 1, 1_000);
        }
        SlowFiles files = files();
        EntryStore store = open(files, Durability.SYNC, BOOT);
        assertThat(store.state()).isEqualTo(StoreState.GOOD);
        assertThat(kept(store)).isEqualTo(numbered(1_000));
        append(store, 1_001, 2_000);
        told.await("durable 2000");
        // As when the process is killed: others may have the directory, and nobody said goodbye.
        files.close();
        try (EntryStore again = open(Durability.SYNC)) {
            assertThat(again.state()).isEqualTo(StoreState.GOOD);
            assertThat(kept(again)).isEqualTo(numbered(2_000)).isEqualTo(kept(again));
        }
    }

    /** The last group of a store that was killed is not whole: so much is cut off, which fsck says before the start does it. */
    @Test
    void whatAStartCutsOffIsSaid() throws IOException {
        SlowFiles files = files();
        EntryStore store = open(files, Durability.SYNC, BOOT);
        append(store, 1, 1);
        told.await("durable 1");
        append(store, 2, 2);
        told.await("durable 2");
        files.close();
        Path newest;
        try (Stream<Path> all = Files.list(journal())) {
            newest = all.filter(file -> file.getFileName().toString().startsWith("journal-"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(newest);
        int last = bytes.length - 1;
        while (bytes[last] == 0) {
            last--;
        }
        bytes[last] ^= 1;
        Files.write(newest, bytes);
        JournalInspection before = JournalStore.inspect(data, owner(1));
        assertThat(before.tailCut().bytes()).isPositive();
        assertThat(before.kinds()).containsEntry("own entries", 1L).containsEntry("founded", 1L);
        try (EntryStore again = open(Durability.SYNC)) {
            assertThat(again.tailCutBytes()).isEqualTo(before.tailCut().bytes());
            assertThat(kept(again)).isEqualTo(numbered(1));
        }
        try (EntryStore again = open(Durability.SYNC)) {
            assertThat(again.tailCutBytes()).isZero();
        }
    }

    @Test
    void nothingIsDurableBeforeTheDiskSaysSoAndWhatCameMeanwhileSharesTheNextForce() throws IOException {
        SlowFiles files = files();
        try (EntryStore store = open(files, Durability.SYNC, BOOT)) {
            files.forces.drainPermits();
            append(store, 1, 1);
            Awaitility.await().atMost(LONG).until(files.forces::hasQueuedThreads);
            append(store, 2, 100);
            assertThat(told.words).isEmpty();
            files.forces.release(2);
            told.await("durable 100");
            assertThat(told.words).containsExactly("durable 1", "durable 100");
            files.forces.release(Integer.MAX_VALUE);
        }
    }

    @Test
    void whereAnswersNeedNotWaitTheStoreSaysFirstWhatIsWritten() throws IOException {
        SlowFiles files = files();
        try (EntryStore store = open(files, Durability.OS, BOOT)) {
            files.forces.drainPermits();
            append(store, 1, 1);
            told.await("written 1");
            Awaitility.await().atMost(LONG).until(files.forces::hasQueuedThreads);
            assertThat(told.words).containsExactly("written 1");
            files.forces.release(Integer.MAX_VALUE);
            told.await("durable 1");
        }
    }

    @Test
    void onlyAPowerCutMakesAServerForgetThatDoesNotWaitForTheDisk() throws IOException {
        SlowFiles files = files();
        EntryStore store = open(files, Durability.OS, BOOT);
        append(store, 1, 1);
        told.await("durable 1");
        files.close();
        SlowFiles killed = files();
        assertThat(open(killed, Durability.OS, BOOT).state()).as("killed").isEqualTo(StoreState.GOOD);
        killed.close();
        for (int start = 0; start < 2; start++) {
            try (EntryStore cut = open(files(), Durability.SYNC, "boot-2")) {
                assertThat(why(cut)).as("power cut").contains("--durability os");
                assertThat(kept(cut)).isEqualTo(numbered(1));
            }
        }
        assertThat(why(open(files(), Durability.SYNC, "")))
                .as("boot id not known")
                .contains("--durability os");
    }

    @Test
    void withoutABootIdNobodyKnowsWhetherTheMachineStopped() throws IOException {
        SlowFiles files = files();
        EntryStore store = open(files, Durability.OS, "");
        append(store, 1, 1);
        told.await("durable 1");
        files.close();
        try (EntryStore again = open(files(), Durability.OS, "")) {
            assertThat(why(again)).contains("--durability os");
        }
    }

    @Test
    void anEndInOrderAndTheDiskItselfNeedNoBootId() throws IOException {
        try (EntryStore store = open(files(), Durability.OS, BOOT)) {
            append(store, 1, 1);
        }
        SlowFiles files = files();
        EntryStore store = open(files, Durability.SYNC, "boot-2");
        assertThat(store.state()).as("ended in order").isEqualTo(StoreState.GOOD);
        append(store, 2, 2);
        told.await("durable 2");
        files.close();
        try (EntryStore again = open(files(), Durability.OS, "boot-3")) {
            assertThat(again.state()).as("the disk has all").isEqualTo(StoreState.GOOD);
            assertThat(kept(again)).isEqualTo(numbered(2));
        }
    }

    @Test
    void aKeyServesForOneStartWithoutAMemory() throws IOException {
        try (EntryStore store = open(Durability.MEMORY)) {
            assertThat(store.state()).isEqualTo(StoreState.GOOD);
            assertThat(store.append(new Ticket(1), record(1), told)).isTrue();
        }
        try (EntryStore again = open(Durability.MEMORY)) {
            assertThat(why(again)).contains("--durability memory");
        }
        try (EntryStore again = open(Durability.SYNC)) {
            assertThat(why(again)).contains("--durability memory");
        }
    }

    @Test
    void aServerThatRanIsAmnesiacWithoutAMemory() throws IOException {
        open(Durability.SYNC).close();
        try (EntryStore again = open(Durability.MEMORY)) {
            assertThat(why(again)).contains("--durability memory");
        }
        try (EntryStore again = open(Durability.SYNC)) {
            assertThat(again.state()).as("it promised nothing meanwhile").isEqualTo(StoreState.GOOD);
        }
    }

    @Test
    void withoutItsStoreAServerIsAmnesiacAndMakesNone() throws IOException {
        Path other = data.resolve("other");
        assertThat(why(JournalStore.open(other, owner(1), Durability.SYNC))).contains(other.toString());
        assertThat(other).doesNotExist();
        assertThat(why(JournalStore.open(data, owner(2), Durability.SYNC))).contains("another");
        Path torn = data.resolve("torn");
        Journal.create(DirectoryFiles.open(torn.resolve("journal")), owner(1).journal(), JournalStore.LIMITS)
                .close();
        assertThat(why(JournalStore.open(torn, owner(1), Durability.SYNC))).contains("not made whole");
        Path empty = data.resolve("empty");
        Files.createDirectories(empty.resolve("journal"));
        assertThat(why(JournalStore.open(empty, owner(1), Durability.SYNC))).contains("not made whole");
    }

    @Test
    void aStoreIsMadeOnce() throws IOException {
        assertThatThrownBy(() -> JournalStore.make(data, owner(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exists already");
        open(Durability.SYNC).close();
    }

    @Test
    void aStoreInUseIsRefused() throws IOException {
        try (EntryStore store = open(Durability.SYNC)) {
            assertThatThrownBy(() -> open(Durability.SYNC))
                    .isInstanceOfSatisfying(
                            StoreUnusableException.class,
                            again -> assertThat(again.mayPass()).isFalse());
            append(store, 1, 1);
        }
    }

    @Test
    void damageIsNamedByFileAndByte() throws IOException {
        try (EntryStore store = open(Durability.SYNC)) {
            append(store, 1, 10);
        }
        Path segment = journal().resolve("journal-0000000000000002");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[200] ^= 1;
        Files.write(segment, bytes);
        assertThatThrownBy(() -> open(Durability.SYNC))
                .isInstanceOfSatisfying(
                        StoreUnusableException.class,
                        damaged -> assertThat(damaged.mayPass()).isFalse())
                .hasCauseInstanceOf(JournalDamagedException.class)
                .hasMessageContaining(segment + ", byte ");
    }

    @Test
    void afterAFullDiskAllThatWaitedIsThereInOrder() throws IOException {
        SlowFiles files = files();
        try (EntryStore store = open(files, Durability.SYNC, BOOT)) {
            append(store, 1, 1);
            told.await("durable 1");
            files.full = true;
            append(store, 2, 100);
            Awaitility.await().atMost(LONG).until(() -> store.trouble().isPresent());
            assertThat(store.trouble().orElseThrow()).contains("no space left");
            Awaitility.await().during(Duration.ofMillis(50)).atMost(LONG).until(() -> told.words.size() == 1);
            files.full = false;
            told.await("durable 100");
            assertThat(store.trouble()).isEmpty();
            assertThat(store.failure().toCompletableFuture()).isNotDone();
        }
        try (EntryStore again = open(Durability.SYNC)) {
            assertThat(kept(again)).isEqualTo(numbered(100));
        }
    }

    @Test
    void aDiskThatStaysFullEndsTheServer() throws Exception {
        SlowFiles files = files();
        JournalWriter.Patience none =
                new JournalWriter.Patience(Duration.ofMillis(5), Duration.ZERO, Duration.ofMillis(5));
        try (EntryStore store = JournalStore.open(
                files,
                Optional.empty(),
                owner(1),
                Durability.SYNC,
                StoreSurroundings.here().with(BOOT, none))) {
            files.full = true;
            append(store, 1, 1);
            String reason = store.failure().toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(reason).contains("could not be written", "no space left");
            assertThat(told.words).isEmpty();
        }
    }
}
