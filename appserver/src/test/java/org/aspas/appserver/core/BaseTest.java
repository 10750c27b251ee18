package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.aspas.appserver.core.certification.StoredSum;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.CoreLimits;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A server starts from its base and its records: as many of both as there are, the base behind, ahead, damaged or gone. */
class BaseTest {
    private static final int WHO = 1;

    private final Deployment world =
            new Deployment(5, client -> true, CoreLimits.USUAL.keeping(RetentionLimits.USUAL.keeping(8, 1)));
    private int clients = 10;
    private int written;

    private TestClient writer(int server) {
        TestClient writer = world.client(clients++, server);
        writer.open();
        return writer;
    }

    /** Counters, and a set of which elements go again. */
    private void write(TestClient writer, int times) {
        for (int i = 0; i < times; i++) {
            written++;
            writer.update("n" + written % 5, "pn-counter", Operation.of("increment", Value.of(1)));
            writer.update("set", "aw-set", Operation.of("add", Value.of(new byte[600 + written])));
            writer.update("set", "aw-set", Operation.of("remove", Value.of(new byte[600 + written - 3])));
            world.run(100);
        }
    }

    private AppServerCore core() {
        return world.cores.get(WHO);
    }

    private long number(AppServerCore core) {
        return core.newestCertificate().map(one -> one.number().value()).orElse(0L);
    }

    private static StoredHistory history(List<byte[]> records, Optional<SavedBase> base) {
        return new StoredHistory() {
            @Override
            public Iterator<byte[]> iterator() {
                return records.iterator();
            }

            @Override
            public Optional<SavedBase> base() {
                return base;
            }
        };
    }

    private AppServerCore start(List<byte[]> records, Optional<SavedBase> base) {
        return AppServerCore.recover(world.settings.get(WHO), history(records, base), StoreState.GOOD);
    }

    private static long count(AppServerCore core, String counter) {
        return core.status().counters().getOrDefault(counter, 0L);
    }

    /** The server is drained, so that its records have a sum; gives what is left of them. */
    private List<byte[]> shortened() {
        world.step(WHO, new Event.Drain());
        world.run(200);
        List<byte[]> records = world.stores.get(WHO);
        int sum = records.size() - 1;
        while (sum > 0 && records.get(sum)[0] != Records.SUM) {
            sum--;
        }
        assertThat(sum).as("a sum, and records before it").isPositive();
        return new ArrayList<>(records.subList(sum, records.size()));
    }

    private void assertSame(AppServerCore started, AppServerCore whole) {
        assertThat(started.newestCertificate()).isEqualTo(whole.newestCertificate());
        assertThat(started.version()).isEqualTo(whole.version());
        assertThat(started.status().state()).isEqualTo(whole.status().state());
        assertThat(started.status().gauges().get("objects"))
                .isEqualTo(whole.status().gauges().get("objects"));
    }

    /** It certifies on with the others, and shows what they show. */
    private void assertGoesOn(TestClient writer) {
        write(writer, 3);
        world.run(4_000);
        write(writer, 3);
        world.run(2_000);
        assertThat(core().status().state()).as(core().status().why()).isEqualTo(ServerState.SERVING);
        assertThat(core().newestCertificate().map(Certificate::hash))
                .isEqualTo(world.cores.get(0).newestCertificate().map(Certificate::hash));
        assertThat(read(WHO)).isEqualTo(read(0));
        assertThat(world.alarms).isEmpty();
    }

    private Map<String, Value> read(int server) {
        return Map.of("n1", read(server, "n1", "pn-counter"), "set", read(server, "set", "aw-set"));
    }

    private Value read(int server, String key, String type) {
        TestClient reader = world.client(clients++, server);
        long nonce = reader.read(key, type, true, 0);
        world.run(100);
        return reader.answer(nonce, false)
                .map(Answer::response)
                .orElseThrow()
                .message()
                .result();
    }

    @Test
    void aStartFromTheBaseIsOneFromAllRecords() {
        world.keepBases();
        TestClient own = writer(WHO);
        TestClient other = writer(0);
        write(own, 5);
        MemoryBase behind = world.bases.get(WHO).copy();
        write(other, 5);
        write(own, 5);
        List<byte[]> records = List.copyOf(world.stores.get(WHO));
        AppServerCore whole = start(records, Optional.empty());
        AppServerCore based = start(records, world.bases.get(WHO).copy().saved());
        assertThat(count(based, "bases_loaded")).isEqualTo(1);
        assertSame(based, whole);
        assertThat(count(based, "certificates_adopted")).isLessThan(3);
        AppServerCore caughtUp = start(records, behind.saved());
        assertThat(count(caughtUp, "bases_loaded")).isEqualTo(1);
        assertSame(caughtUp, whole);
        world.crash(WHO);
        assertThat(count(core(), "bases_loaded")).isEqualTo(1);
        assertGoesOn(writer(0));
    }

    @Test
    void whatHasAnotherRootIsDiscarded() {
        world.keepBases();
        TestClient own = writer(WHO);
        write(own, 5);
        List<byte[]> records = List.copyOf(world.stores.get(WHO));
        AppServerCore whole = start(records, Optional.empty());
        for (byte[] key : world.bases.get(WHO).contents.keySet()) {
            MemoryBase lacking = world.bases.get(WHO).copy();
            lacking.contents.remove(key);
            AppServerCore started = start(records, lacking.saved());
            // What is kept of leaves need not be there.
            assertThat(count(started, "bases_loaded")).isEqualTo(key[0] == BaseImage.LEAVES ? 1 : 0);
            assertSame(started, whole);
        }
        MemoryBase flipped = world.bases.get(WHO).copy();
        flipped.head[flipped.head.length / 3] ^= 4;
        assertThat(count(start(records, flipped.saved()), "bases_loaded")).isZero();
        MemoryBase mixed = world.bases.get(WHO).copy();
        write(own, 1);
        mixed.head = world.bases.get(WHO).head;
        assertThat(count(start(records, mixed.saved()), "bases_loaded")).isZero();
    }

    @Test
    void anImageSaysWhichObjectsRest() {
        world.keepBases();
        world.crash(WHO);
        world.run(2_000);
        MemoryBase base = world.bases.get(WHO);
        base.room = 1;
        TestClient own = writer(WHO);
        List<String> keys = IntStream.range(0, 60).mapToObj(i -> "object " + i).toList();
        keys.forEach(key -> own.update(key, "pn-counter", Operation.of("increment", Value.of(1))));
        world.run(1_000);
        // As long as the states before are remembered, their objects stay.
        for (int i = 0; i < 40; i++) {
            own.update("hot", "pn-counter", Operation.of("increment", Value.of(1)));
            world.run(1_000);
        }
        assertThat(keys.stream().filter(base::rests)).hasSizeGreaterThan(30).hasSize(inBase());
        assertThat(base.rests("hot")).isFalse();
        assertThat(base.rests("never made")).isFalse();
        String resting = keys.stream().filter(base::rests).findFirst().orElseThrow();
        own.update(resting, "pn-counter", Operation.of("increment", Value.of(1)));
        assertThat(base.rests(resting)).isFalse();
    }

    private int inBase() {
        return core().status().gauges().get("objects_in_base").intValue();
    }

    @Test
    void theBaseCostsWhatChanged() {
        world.keepBases();
        TestClient own = writer(WHO);
        for (int i = 0; i < 60; i++) {
            own.update("object " + i, "pn-counter", Operation.of("increment", Value.of(1)));
            own.update("large", "aw-set", Operation.of("add", Value.of(i)));
        }
        world.run(2_000);
        MemoryBase base = world.bases.get(WHO);
        assertThat(base.contents).hasSizeGreaterThan(120);
        long before = base.changes;
        own.update("large", "aw-set", Operation.of("add", Value.of(1_000)));
        world.run(1_000);
        assertThat(base.changes - before)
                .as("the element, the set, the client, its block, the time")
                .isEqualTo(5);
    }

    @Test
    void aShortenedJournalWithItsBaseIsAWholeStore() {
        world.keepBases();
        TestClient own = writer(WHO);
        write(own, 40);
        List<byte[]> before = List.copyOf(world.stores.get(WHO));
        List<byte[]> left = shortened();
        assertThat(StoredSum.of(left.get(0)).starts()).isEqualTo(starts(before));
        assertThat(count(core(), "journal_sums")).isEqualTo(1);
        AppServerCore whole = start(List.copyOf(world.stores.get(WHO)), Optional.empty());
        AppServerCore started = start(left, world.bases.get(WHO).copy().saved());
        assertSame(started, whole);
        world.stores.set(WHO, left);
        world.crash(WHO);
        TestClient again = writer(WHO);
        write(again, 2);
        assertGoesOn(writer(0));
        assertThat(again.confirmations()).flatExtracting(Confirmation::covered).hasSizeGreaterThan(5);
        // And a second sum follows the first.
        write(again, 40);
        List<byte[]> second = shortened();
        assertThat(StoredSum.of(second.get(0)).starts())
                .isEqualTo(StoredSum.of(left.get(0)).starts() + starts(world.stores.get(WHO)));
        world.stores.set(WHO, second);
        world.crash(WHO);
        assertGoesOn(writer(0));
    }

    private static long starts(List<byte[]> records) {
        return records.stream().filter(record -> record[0] == Records.START).count();
    }

    @Test
    void withoutItsBaseAServerWithAShortenedJournalWaitsForASnapshotAndLosesNothing() {
        loseTheBase(Optional.empty());
    }

    @Test
    void aBaseThatIsOlderThanTheJournalIsNoBase() {
        world.keepBases();
        write(writer(WHO), 3);
        loseTheBase(Optional.of(world.bases.get(WHO).copy()));
    }

    private void loseTheBase(Optional<MemoryBase> left) {
        world.keepBases();
        TestClient own = writer(WHO);
        write(own, 40);
        world.run(2_000);
        // What follows is certified by nobody: two own updates, which no other server gets.
        TestClient peer = writer(0);
        world.run(500);
        world.certifying = false;
        world.open = (from, to) -> !from.equals(NodeId.appserver(WHO));
        own.update("n1", "pn-counter", Operation.of("increment", Value.of(100)));
        own.update("n1", "pn-counter", Operation.of("increment", Value.of(1_000)));
        peer.update("n1", "pn-counter", Operation.of("increment", Value.of(10_000)));
        world.run(500);
        long size = core().version().get(WHO);
        long required = number(core());
        world.stores.set(WHO, shortened());
        world.bases.set(WHO, left.orElseGet(MemoryBase::new));
        world.open = (from, to) -> false;
        world.listening = true;
        world.crash(WHO);
        assertThat(core().status().state()).isEqualTo(ServerState.REPAIRING);
        assertThat(core().status().why()).contains("its base is gone").contains(String.valueOf(required));
        assertThat(core().newestCertificate()).isEmpty();
        world.run(1_000);
        assertThat(count(core(), "reports")).isZero();
        world.open = (from, to) -> true;
        world.certifying = true;
        world.run(4_000);
        assertThat(count(core(), "snapshots_installed")).isEqualTo(1);
        assertThat(core().version().get(WHO)).isEqualTo(size);
        assertThat(world.cores.get(0).version().get(WHO)).isEqualTo(size);
        TestClient again = writer(WHO);
        write(again, 2);
        assertThat(core().version().get(WHO)).isGreaterThan(size);
        assertGoesOn(writer(0));
        assertThat(read(WHO, "n1", "pn-counter"))
                .isEqualTo(Value.of(11_100 + written / 5 + (written % 5 >= 1 ? 1 : 0)));
        // The new base is that of the snapshot, and is good for the next start.
        world.crash(WHO);
        assertThat(count(core(), "bases_loaded")).isEqualTo(1);
        assertGoesOn(writer(0));
    }

    @Test
    void aBaseAheadOfTheRecordsIsGoodUnlessOwnEntriesLack() {
        world.keepBases();
        TestClient own = writer(WHO);
        TestClient other = writer(0);
        write(own, 3);
        world.run(2_000);
        write(other, 3);
        List<byte[]> records = world.stores.get(WHO);
        int ownEnd = records.size();
        while (records.get(ownEnd - 1)[0] != Records.OWN_ENTRY) {
            ownEnd--;
        }
        AppServerCore ahead = start(
                List.copyOf(records.subList(0, ownEnd)),
                world.bases.get(WHO).copy().saved());
        assertThat(ahead.status().state()).isEqualTo(ServerState.SERVING);
        assertThat(number(ahead)).isEqualTo(number(core()));
        AppServerCore old = start(
                List.copyOf(records.subList(0, ownEnd - 1)),
                world.bases.get(WHO).copy().saved());
        assertThat(old.status().state()).isEqualTo(ServerState.AMNESIAC);
    }

    /** What a server records after a start from a base that was ahead follows from that base, which need not be there at the next start. */
    @Test
    void aBaseThatWasAheadAndIsLostLaterIsMissed() {
        world.keepBases();
        TestClient own = writer(WHO);
        TestClient other = writer(0);
        write(own, 3);
        world.run(2_000);
        int known = world.stores.get(WHO).size();
        write(other, 3);
        world.run(2_000);
        // A power cut takes the records of what others did, and leaves the base, which nobody forced either.
        world.stores.set(WHO, new ArrayList<>(world.stores.get(WHO).subList(0, known)));
        world.crash(WHO);
        assertThat(count(core(), "bases_loaded")).isEqualTo(1);
        assertThat(core().status().state()).isEqualTo(ServerState.SERVING);
        write(writer(WHO), 3);
        write(other, 3);
        assertGoesOn(writer(0));
        long size = core().version().get(WHO);
        world.bases.set(WHO, new MemoryBase());
        world.crash(WHO);
        assertThat(core().status().state()).isEqualTo(ServerState.REPAIRING);
        world.run(4_000);
        assertThat(count(core(), "snapshots_installed")).isEqualTo(1);
        assertThat(core().version().get(WHO)).isGreaterThanOrEqualTo(size);
        assertGoesOn(writer(0));
    }

    /** All others hold the certificate that it lacks, and none the entries: they began with its state. */
    @Test
    void aMemberBehindThoseThatBeganWithTheirBasesGetsTheirState() {
        world.keepBases();
        TestClient other = writer(0);
        write(other, 3);
        world.run(2_000);
        long before = number(core());
        world.open = (from, to) -> !to.equals(NodeId.appserver(WHO));
        // One certificate for three entries: every server keeps the last certified entry of each log.
        world.certifying = false;
        for (int i = 0; i < 3; i++) {
            other.update("n1", "pn-counter", Operation.of("increment", Value.of(1)));
        }
        world.run(200);
        world.certifying = true;
        world.run(2_000);
        long after = number(world.cores.get(0));
        assertThat(after).isEqualTo(before + 1);
        assertThat(number(core())).isEqualTo(before);
        for (int server = 0; server < 4; server++) {
            if (server != WHO) {
                world.crash(server);
                assertThat(count(world.cores.get(server), "bases_loaded")).isEqualTo(1);
            }
        }
        world.open = (from, to) -> true;
        world.crash(WHO);
        world.run(6_000);
        assertThat(number(core())).isEqualTo(after);
        assertThat(read(WHO)).isEqualTo(read(0));
        assertGoesOn(writer(0));
    }

    @Test
    void anAmnesiacServerStaysOneWhenItsJournalIsShortened() {
        world.keepBases();
        write(writer(WHO), 40);
        world.lose(WHO);
        world.bases.set(WHO, new MemoryBase());
        write(writer(0), 40);
        assertThat(core().status().state()).isEqualTo(ServerState.AMNESIAC);
        List<byte[]> left = shortened();
        AppServerCore started = start(left, world.bases.get(WHO).copy().saved());
        assertThat(started.status().state()).isEqualTo(ServerState.AMNESIAC);
        assertThat(started.version()).isEqualTo(core().version());
        assertThat(start(left, Optional.empty()).status().state()).isEqualTo(ServerState.AMNESIAC);
    }

    /** The server once continued from an older disk: its journal has one history of its own log, its base the certified one. */
    @Test
    void aServerWhoseOwnEntriesDoNotFollowItsBaseStartsAndIsAmnesiac() {
        world.keepBases();
        write(writer(WHO), 40);
        List<byte[]> left = shortened();
        Optional<SavedBase> base = world.bases.get(WHO).copy().saved();
        assertThat(start(left, base).status().state()).isEqualTo(ServerState.SERVING);
        byte[] last = world.stores.get(WHO).stream()
                .filter(record -> record[0] == Records.OWN_ENTRY)
                .reduce((earlier, later) -> later)
                .orElseThrow();
        Entry entry = Codec.decode(Records.body(last), Entry.class).accepted().orElseThrow();
        long certified = core().version().get(WHO);
        VersionVector less = VersionVector.zero(4);
        for (Entry other : List.of(
                new Entry(new Dot(WHO, certified), less, entry.body()),
                new Entry(new Dot(WHO, certified + 1), less, entry.body()),
                new Entry(new Dot(WHO, certified + 2), entry.dependencies(), entry.body()))) {
            List<byte[]> forked = new ArrayList<>(left);
            forked.add(Records.ownEntry(Codec.encode(other)));
            AppServerCore started = start(forked, base);
            assertThat(started.status().state()).as("" + other.dot()).isEqualTo(ServerState.AMNESIAC);
            assertThat(started.version()).isEqualTo(core().version());
        }
    }

    /** Other servers count on it, since it said that it has them. */
    @Test
    void entriesOfOthersThatNobodyCertifiedStay() {
        world.keepBases();
        write(writer(WHO), 40);
        TestClient peer = writer(0);
        world.run(2_000);
        world.certifying = false;
        peer.update("n1", "pn-counter", Operation.of("increment", Value.of(10_000)));
        world.run(500);
        assertThat(core().version().get(0))
                .isGreaterThan(core().status().certified().get(0));
        AppServerCore started = start(shortened(), world.bases.get(WHO).copy().saved());
        assertThat(started.version()).isEqualTo(core().version());
    }

    /** The origin gave it to this server alone, and is away: it is in the journal, and has no place before the snapshot is here. */
    @Test
    void entriesOfOthersThatNobodyCertifiedComeBackWithoutTheBase() {
        NodeId origin = NodeId.appserver(0);
        world.keepBases();
        write(writer(WHO), 40);
        TestClient peer = writer(0);
        world.run(2_000);
        world.certifying = false;
        world.open = (from, to) -> from.equals(origin) ? to.equals(NodeId.appserver(WHO)) : from.index() != WHO;
        peer.update("n1", "pn-counter", Operation.of("increment", Value.of(10_000)));
        world.run(500);
        long held = core().version().get(0);
        assertThat(world.cores.get(2).version().get(0)).isLessThan(held);
        world.stores.set(WHO, shortened());
        world.bases.set(WHO, new MemoryBase());
        world.open = (from, to) -> !from.equals(origin) && !to.equals(origin);
        world.crash(WHO);
        assertThat(core().status().state()).isEqualTo(ServerState.REPAIRING);
        world.certifying = true;
        world.run(6_000);
        assertThat(count(core(), "snapshots_installed")).isEqualTo(1);
        assertThat(core().version().get(0)).isEqualTo(held);
        assertThat(world.cores.get(2).version().get(0)).isEqualTo(held);
    }

    /** The newest heads are in the base: the batches that brought them are gone with the journal. */
    @Test
    void aForkOfWhatTheBaseHoldsIsProved() {
        world.keepBases();
        write(writer(WHO), 20);
        write(writer(0), 20);
        world.run(2_000);
        List<Signed<Head>> heads = new ArrayList<>();
        world.altered = (from, to, message) -> {
            if (from == WHO && message instanceof Frontier frontier) {
                heads.clear();
                frontier.heads().stream()
                        .filter(head -> head.message().origin() == 0)
                        .forEach(heads::add);
            }
            return message;
        };
        world.run(5_000); // Nothing is new, so it is told seldom.
        assertThat(heads).hasSize(1);
        long size = heads.get(0).message().size();
        world.stores.set(WHO, shortened());
        world.open = (from, to) -> false;
        world.crash(WHO);
        assertThat(count(core(), "bases_loaded")).isEqualTo(1);
        Signed<Head> other = world.settings.get(0).sealer().seal(new Head(0, size, Hash.sha256(new byte[] {1})));
        Frontier shown = new Frontier(core().version(), List.of(other), CertificateNumber.NONE);
        world.step(WHO, new Event.NodeFrame(NodeId.appserver(2), new Frame.Plain(shown)));
        world.run(100);
        assertThat(world.alarms)
                .extracting(Deployment.Raised::alarm)
                .anyMatch(alarm -> alarm instanceof Alarm.ProvedFaulty proved
                        && proved.accused() == 0
                        && proved.kind() == Kind.FORKED_HEADS);
    }

    @Test
    void evidenceOutlivesTheRecordsThatBroughtIt() {
        world.keepBases();
        write(writer(WHO), 40);
        Sealer sealer = world.sealer(3, 99);
        ClientId liar = new ClientId(sealer.publicKey());
        List<Signed<Request>> contents = new ArrayList<>();
        for (long amount = 1; amount <= 2; amount++) {
            Operation operation = Operation.of("increment", Value.of(amount));
            contents.add(sealer.seal(new Request(liar, 1, "c", "pn-counter", operation)));
        }
        Evidence evidence = new ClientEquivocation(contents.get(0), contents.get(1));
        world.step(WHO, new Event.NodeFrame(NodeId.appserver(2), new Frame.Plain(evidence)));
        world.run(200);
        assertThat(refused(core())).containsExactly(evidence.accused());
        AppServerCore started = start(shortened(), world.bases.get(WHO).copy().saved());
        assertThat(refused(started)).containsExactly(evidence.accused());
    }

    private static List<Accused> refused(AppServerCore core) {
        return core.status().blacklist().stream()
                .map(CoreStatus.Excluded::accused)
                .toList();
    }
}
