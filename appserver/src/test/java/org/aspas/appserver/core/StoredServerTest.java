package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server's store on real files, journal and base: killed, drained, with its base gone, damaged, older, or somebody else's. A kill is
 * a copy of the files while the process goes on. A power cut takes from the base what was not flushed.
 */
class StoredServerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final int WHO = 1;

    @TempDir
    private Path root;

    private static final long MIB = 1 << 20;
    private static final long DAY = 86_400_000;

    /** Leaves are moved out in blocks of eight. */
    private final Deployment world = new Deployment(
            5,
            client -> true,
            CoreLimits.USUAL.keeping(new RetentionLimits(8, 1, 64 * MIB, DAY, 1024 * MIB, 64 * MIB, 3)));

    private final AtomicLong durable = new AtomicLong();
    private final List<Path> copies = new ArrayList<>();
    private @Nullable EntryStore store;
    private long last;
    private int clients = 10;
    private int written;

    private StoreOwner owner(Hash deployment) {
        return new StoreOwner(
                deployment,
                NodeId.appserver(WHO),
                world.settings.get(WHO).sealer().publicKey());
    }

    private Path data() {
        return root.resolve("data");
    }

    /** What server WHO would store it stores here, too. */
    @BeforeEach
    void make() throws IOException {
        JournalStore.make(data(), owner(world.deployment));
        EntryStore made = open(data());
        store = made;
        made.records().base();
        world.seen = (server, effect) -> {
            if (server == WHO && effect instanceof Effect.Persist persist) {
                last = persist.ticket().value();
                made.append(persist.ticket(), persist.record(), new EntryStore.Progress() {
                    @Override
                    public void written(Ticket ticket) {
                        // Only what is durable counts here.
                    }

                    @Override
                    public void durable(Ticket ticket) {
                        durable.set(ticket.value());
                    }
                });
            } else if (server == WHO && effect instanceof Effect.Keep keep) {
                made.keep(keep);
            }
        };
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    private EntryStore open(Path data) throws IOException {
        return JournalStore.open(data, owner(world.deployment), Durability.SYNC);
    }

    private TestClient writer(int server) {
        TestClient writer = world.client(clients++, server);
        writer.open();
        return writer;
    }

    private void write(TestClient writer, int times) {
        for (int i = 0; i < times; i++) {
            written++;
            writer.update("n" + written % 5, "pn-counter", Operation.of("increment", Value.of(1)));
            writer.update("set", "aw-set", Operation.of("add", Value.of(new byte[600 + written])));
            world.run(100);
        }
    }

    private AppServerCore core() {
        return world.cores.get(WHO);
    }

    private void settle() {
        world.run(1_000);
        Awaitility.await().atMost(PATIENCE).until(() -> durable.get() == last);
    }

    /** The server is drained: the journal has a sum, and what is before goes when the base is durable. */
    private void drain() throws IOException {
        long before = oldest(data());
        world.step(WHO, new Event.Drain());
        settle();
        // While files go, some may be missing.
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> oldest(data()) > before);
    }

    private long oldest(Path data) throws IOException {
        return JournalStore.inspect(data, owner(world.deployment)).oldest();
    }

    private Path copy() throws IOException {
        Path to = root.resolve("copy" + copies.size());
        copies.add(to);
        copy(data().resolve("journal"), to.resolve("journal"));
        copy(data().resolve("base"), to.resolve("base"));
        return to;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** What the power cut leaves of a base of which nothing was forced but what was flushed: no log. */
    private static void cutPower(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("base"))) {
            for (Path log :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.write(log, new byte[0]);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    /** A core that starts from copied files. */
    private AppServerCore start(Path data) throws IOException {
        try (EntryStore copied = open(data)) {
            assertThat(copied.state()).isEqualTo(StoreState.GOOD);
            AppServerCore started = AppServerCore.recover(world.settings.get(WHO), copied.records(), copied.state());
            for (Effect effect : started.step(new Event.Tick(world.now))) {
                if (effect instanceof Effect.Keep keep) {
                    copied.keep(keep);
                }
            }
            return started;
        }
    }

    private static long count(AppServerCore core, String counter) {
        return core.status().counters().getOrDefault(counter, 0L);
    }

    private void assertStarts(AppServerCore started, boolean based) {
        assertThat(started.status().state()).as(started.status().why()).isEqualTo(ServerState.SERVING);
        assertThat(started.newestCertificate().map(Certificate::hash))
                .isEqualTo(core().newestCertificate().map(Certificate::hash));
        assertThat(started.version()).isEqualTo(core().version());
        assertThat(count(started, "bases_loaded")).isEqualTo(based ? 1 : 0);
        if (based) {
            assertThat(started.status().gauges().get("log_hash_bytes_stored"))
                    .as("leaves before the base that can be proved again, by the roots that it kept")
                    .isPositive();
        }
    }

    private void assertWaits(AppServerCore started) {
        assertThat(started.status().state()).isEqualTo(ServerState.REPAIRING);
        assertThat(started.status().why()).contains("its base is gone");
        assertThat(started.version().get(WHO))
                .as("the own log is known up to its end")
                .isEqualTo(core().version().get(WHO));
    }

    @Test
    void aKilledServerStartsFromItsBaseAndTheRecordsAfterIt() throws IOException {
        TestClient own = writer(WHO);
        write(own, 10);
        settle();
        Path early = copy();
        write(writer(0), 5);
        settle();
        Path killed = copy();
        Path behind = copy();
        delete(behind.resolve("base"));
        copy(early.resolve("base"), behind.resolve("base"));
        assertStarts(start(killed), true);
        assertStarts(start(killed), true);
        assertStarts(start(behind), true);
        Path without = copy();
        delete(without.resolve("base"));
        assertStarts(start(without), false);
        assertStarts(start(without), true);
        Path cut = copy();
        cutPower(cut);
        assertStarts(start(cut), false);
    }

    @Test
    void afterADrainRecordsAreGoneAndTheStoreIsWhole() throws IOException {
        write(writer(WHO), 80);
        settle();
        drain();
        Path killed = copy();
        assertThat(kinds(killed)).containsKeys("sums", "ends of sums").doesNotContainKey("batches");
        assertStarts(start(killed), true);
        // A start appends, and a start after that finds all again.
        assertStarts(start(killed), true);
        Path cut = copy();
        cutPower(cut);
        assertStarts(start(cut), true);
    }

    private Map<String, Long> kinds(Path data) throws IOException {
        return JournalStore.inspect(data, owner(world.deployment)).kinds();
    }

    @Test
    void aShortJournalWithoutItsBaseWaitsForASnapshot() throws IOException {
        write(writer(WHO), 10);
        settle();
        Path early = copy();
        write(writer(WHO), 80);
        settle();
        drain();
        Path gone = copy();
        delete(gone.resolve("base"));
        assertWaits(start(gone));
        assertWaits(start(gone));
        Path older = copy();
        delete(older.resolve("base"));
        copy(early.resolve("base"), older.resolve("base"));
        assertWaits(start(older));
    }

    @Test
    void damageOfTheBaseIsNoticed() throws IOException {
        write(writer(WHO), 80);
        settle();
        drain();
        Path whole = copy();
        int waiting = 0;
        List<Path> files;
        try (Stream<Path> all = Files.list(whole.resolve("base"))) {
            files = all.filter(file -> !file.endsWith("LOCK") && !file.endsWith("LOG"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            long length = Files.size(file);
            for (long place = length / 7; place < length; place += length / 3 + 1) {
                Path damaged = copyOf(whole, root.resolve("damaged" + file.getFileName() + place));
                Path hit = damaged.resolve("base").resolve(file.getFileName());
                byte[] bytes = Files.readAllBytes(hit);
                bytes[(int) place] ^= 0x10;
                Files.write(hit, bytes);
                AppServerCore started = start(damaged);
                if (started.status().state() == ServerState.REPAIRING) {
                    waiting++;
                    assertWaits(started);
                } else {
                    assertStarts(started, true);
                }
            }
        }
        assertThat(waiting).isPositive();
    }

    private static Path copyOf(Path from, Path to) throws IOException {
        copy(from.resolve("journal"), to.resolve("journal"));
        copy(from.resolve("base"), to.resolve("base"));
        return to;
    }

    @Test
    void theBaseOfAnotherDeploymentIsNoBase() throws IOException {
        write(writer(WHO), 80);
        settle();
        drain();
        Path mine = copy();
        Path other = root.resolve("other");
        StoreOwner stranger = owner(Hash.sha256(new byte[] {9}));
        JournalStore.make(other, stranger);
        try (EntryStore opened = JournalStore.open(other, stranger, Durability.SYNC)) {
            assertThat(opened.records().base()).isEmpty();
            opened.keep(new Effect.Keep(new EmptyImage(), false));
        }
        delete(mine.resolve("base"));
        copy(other.resolve("base"), mine.resolve("base"));
        assertWaits(start(mine));
    }

    private record EmptyImage() implements BaseImage {
        @Override
        public CertificateNumber number() {
            return CertificateNumber.FIRST;
        }

        @Override
        public byte[] head() {
            return new byte[] {1};
        }

        @Override
        public boolean rests(String key) {
            return false;
        }

        @Override
        public void changesSince(@Nullable BaseImage before, Changes changes) {
            changes.put(new byte[] {KEYS, 1}, new byte[] {1});
        }
    }

    @Test
    void theSumBeginsTheJournalAfterTheNoteOfTheNewestRun() throws IOException {
        write(writer(WHO), 80);
        settle();
        drain();
        Path killed = copy();
        assertThat(kinds(killed)).containsEntry("runs", 1L).containsEntry("sums", 1L);
        try (EntryStore again = open(killed)) {
            List<Byte> kinds = new ArrayList<>();
            again.records().forEach(record -> kinds.add(record[0]));
            assertThat(kinds.get(0)).isEqualTo(Records.SUM);
            assertThat(kinds).contains(Records.SUM_END);
        }
    }

    /** What the store noted of its own use outlives all other records. */
    @Test
    void aKeyThatRanWithoutAMemoryStaysAmnesiacWhenItsOldRecordsAreGone() throws IOException {
        Path shortened = root.resolve("shortened");
        StoreOwner owner = owner(world.deployment);
        JournalStore.make(shortened, owner);
        JournalStore.open(shortened, owner, Durability.MEMORY).close();
        try (EntryStore amnesiac = open(shortened)) {
            assertThat(amnesiac.records().base()).isEmpty();
            amnesiac.keep(new Effect.Keep(new EmptyImage(), false));
            amnesiac.append(new Ticket(1), new byte[] {Records.SUM}, UNHEARD);
            amnesiac.append(new Ticket(2), new byte[] {Records.SUM_END}, UNHEARD);
            // While files go, some may be missing.
            Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> oldest(shortened) > 0);
        }
        try (EntryStore again = open(shortened)) {
            assertThat(again.state())
                    .isInstanceOfSatisfying(
                            StoreState.Amnesiac.class,
                            lost -> assertThat(lost.reason()).contains("--durability memory"));
        }
    }

    private static final EntryStore.Progress UNHEARD = new EntryStore.Progress() {
        @Override
        public void written(Ticket ticket) {
            // Nobody waits for it.
        }

        @Override
        public void durable(Ticket ticket) {
            // Nobody waits for it.
        }
    };

    /** The process is killed while a long image is on its way into the base. */
    @Test
    void halfABaseIsNone() throws IOException {
        Path whole = root.resolve("whole");
        Path killed = root.resolve("killed");
        StoreOwner owner = owner(world.deployment);
        JournalStore.make(whole, owner);
        try (EntryStore store = open(whole)) {
            assertThat(store.records().base()).isEmpty();
            store.keep(new Effect.Keep(new EmptyImage(), false));
        }
        try (EntryStore store = open(whole)) {
            assertThat(store.records().base()).isPresent();
            store.keep(new Effect.Keep(new EmptyImage(), true));
            store.keep(new Effect.Keep(new LongImage(whole, killed), false));
        }
        try (EntryStore store = open(killed)) {
            assertThat(store.records().base()).isEmpty();
        }
        try (EntryStore store = open(whole)) {
            assertThat(store.records().base()).isPresent();
        }
    }

    /** An image of 9 MB; when all but its end is written, the files are copied. */
    private record LongImage(Path data, Path killed) implements BaseImage {
        @Override
        public CertificateNumber number() {
            return CertificateNumber.FIRST;
        }

        @Override
        public byte[] head() {
            return new byte[] {2};
        }

        @Override
        public boolean rests(String key) {
            return false;
        }

        @Override
        public void changesSince(@Nullable BaseImage before, Changes changes) {
            for (int i = 0; i < 90; i++) {
                changes.put(new byte[] {KEYS, 2, (byte) i}, new byte[100_000]);
            }
            try {
                copyOf(data, killed);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    /** As {@code aspas backup --stored} reads it. */
    @Test
    void aShortenedStoreIsReadAsAStartWouldAndNoFileChanges() throws IOException {
        write(writer(WHO), 80);
        settle();
        drain();
        write(writer(0), 5);
        settle();
        Path killed = copy();
        Map<String, Long> before = kinds(killed);
        AppServerCore read = read(killed);
        assertThat(read.newestCertificate()).isEqualTo(core().newestCertificate());
        assertThat(read.version()).isEqualTo(core().version());
        assertThat(count(read, "bases_loaded")).isEqualTo(1);
        assertThat(kinds(killed)).isEqualTo(before);
        delete(killed.resolve("base"));
        AppServerCore without = read(killed);
        assertThat(without.status().state()).isEqualTo(ServerState.REPAIRING);
        assertThat(killed.resolve("base")).doesNotExist();
    }

    private AppServerCore read(Path data) throws IOException {
        return JournalStore.read(
                data,
                owner(world.deployment),
                kept -> AppServerCore.recover(world.settings.get(WHO), kept, StoreState.GOOD));
    }
}
