package org.aspas.appserver.core.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.aspas.appserver.core.state.BaseKeys;
import org.aspas.appserver.core.state.BaseReader;
import org.aspas.appserver.core.state.SavedBase;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotLeaves;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store whose objects are in a base but for a few shows what a store shows that has all of them in memory. */
class ObjectsInBaseTest {
    private static final int KEYS = 60;

    /** A base in memory, which is behind by as many images as the test lets it be. */
    private static final class Base implements BaseReader {
        private final TreeMap<byte[], byte[]> contents = new TreeMap<>(Arrays::compareUnsigned);
        private @Nullable StateView written;
        private CertificateNumber number = CertificateNumber.NONE;
        long room = 2_000;
        /** How many objects it was told to have alone. */
        long resting;
        /** How often it was given a content. */
        int puts;

        void write(StateView view, CertificateNumber at) {
            view.changesSince(written, new StateView.Visitor() {
                @Override
                public void put(Hash path, @Nullable Hash element, SnapshotLeaf content) {
                    puts++;
                    contents.put(BaseKeys.leaf(path, element), SnapshotLeaves.encode(content));
                }

                @Override
                public void removed(Hash path, @Nullable Hash element) {
                    contents.remove(BaseKeys.leaf(path, element));
                }

                @Override
                public void elementsRemoved(Hash path) {
                    below(BaseKeys.leaf(path, null)).keySet().removeIf(key -> key.length > 33);
                }
            });
            written = view;
            number = at;
        }

        /** Has all of a client under one key, as a base of layout 2 has. */
        void putWhole(StateView view, ClientId client) {
            Hash path = StateTree.clientPath(client.toBytes());
            below(BaseKeys.leaf(path, null)).clear();
            view.chunk(number, new Place(null, Hash.ZERO)).leaves().stream()
                    .filter(SnapshotLeaf.OfClient.class::isInstance)
                    .forEach(leaf -> contents.put(BaseKeys.leaf(path, null), SnapshotLeaves.encode(leaf)));
        }

        private Map<byte[], byte[]> below(byte[] prefix) {
            byte[] last = Arrays.copyOf(prefix, 66);
            Arrays.fill(last, prefix.length, last.length, (byte) 0xff);
            return contents.subMap(prefix, true, last, true);
        }

        @Override
        public long room() {
            return room;
        }

        @Override
        public void rest(long objects) {
            resting = objects;
        }

        @Override
        public CertificateNumber holds() {
            return number;
        }

        @Override
        public boolean contents(byte[] from, byte[] to, SavedBase.Visitor visitor) {
            for (Map.Entry<byte[], byte[]> one :
                    contents.subMap(from, true, to, true).entrySet()) {
                if (!visitor.take(one.getKey(), one.getValue())) {
                    break;
                }
            }
            return true;
        }

        /** A store that starts from what is here, as another process does. */
        ObjectStore load(Hash root, CertificateNumber at, VersionVector version) {
            StateLoading loading = new StateLoading(room);
            contents.forEach((key, content) -> assertThat(loading.take(
                            key, SnapshotLeaves.decode(content).accepted().orElseThrow()))
                    .isTrue());
            ObjectStore store = new ObjectStore(this);
            store.install(loading.state(root).orElseThrow(), at, version);
            return store;
        }
    }

    private record Kept(CertificateNumber at, StateView all, StateView some) {}

    private static String key(int key) {
        return (key % 3 == 0 ? "set" : "n") + key;
    }

    private static String type(int key) {
        return key % 3 == 0 ? "aw-set" : "pn-counter";
    }

    private static void assertSame(ObjectStore some, ObjectStore all, int key, CertificateNumber at) {
        assertThat(some.type(key(key))).isEqualTo(all.type(key(key)));
        assertThat(some.liveValue(key(key), type(key))).isEqualTo(all.liveValue(key(key), type(key)));
        assertThat(some.certifiedValue(key(key), type(key))).isEqualTo(all.certifiedValue(key(key), type(key)));
        assertThat(some.bytes(key(key), type(key))).isEqualTo(all.bytes(key(key), type(key)));
        ReadPart part = key % 3 == 0 ? ReadPart.element(Value.of("e" + key % 20)) : null;
        assertThat(some.prove(key(key), type(key), part, at)).isEqualTo(all.prove(key(key), type(key), part, at));
    }

    private static void assertSameChunks(Kept kept) {
        StateAssembly whole = new StateAssembly(kept.all().root());
        while (!whole.complete()) {
            List<Place> places = new ArrayList<>();
            whole.places(places::add);
            for (Place place : places) {
                byte[] chunk = Codec.encode(kept.some().chunk(kept.at(), place));
                assertThat(chunk).isEqualTo(Codec.encode(kept.all().chunk(kept.at(), place)));
                if (whole.needs(place)) {
                    whole.take(kept.all().chunk(kept.at(), place));
                }
            }
        }
        assertThat(whole.state()).isPresent();
    }

    private static List<String> keysThatRest(ObjectStore store) {
        StateView view = store.view();
        return IntStream.range(0, KEYS)
                .mapToObj(ObjectsInBaseTest::key)
                .filter(view::rests)
                .toList();
    }

    private static long inBase(ObjectStore store) {
        Map<String, Long> gauges = new TreeMap<>();
        store.measure(gauges);
        return gauges.getOrDefault("objects_in_base", 0L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverHappensBothShowTheSame(long seed) {
        StoreHistory history = new StoreHistory(seed, 5);
        Random random = new Random(seed * 31);
        Base base = new Base();
        ObjectStore some = new ObjectStore(base);
        List<Kept> views = new ArrayList<>();
        long most = 0;
        long loadedAt = 1;
        for (int round = 0; round < 250; round++) {
            // Many at first; later few change, so that the others are left alone for as long as states are remembered.
            history.updates(round < 5 ? 100 : 1 + random.nextInt(3), KEYS);
            if (random.nextInt(20) == 0) {
                int key = random.nextInt(KEYS);
                history.update(0, 0, key(key), type(key + 1), Operation.of("add", Value.of("of another type")));
            }
            VersionVector before = history.certified;
            List<Entry> range = history.certify();
            if (random.nextBoolean()) {
                for (Entry entry : range) {
                    some.deliver(
                            DeliveredUpdate.of(entry, (Request) entry.body().message()));
                    some.makeRoom();
                }
            }
            Candidate candidate = some.candidate(before, range);
            for (int i = random.nextInt(3); i > 0; i--) {
                some.liveValue(key(random.nextInt(KEYS)), "pn-counter");
                some.makeRoom();
            }
            some.commit(candidate);
            assertThat(some.tree().root()).isEqualTo(history.root());
            some.makeRoom();
            if (random.nextInt(3) > 0) {
                base.write(some.view(), history.number);
                some.makeRoom();
            }
            if (random.nextInt(40) == 0 && base.holds().equals(history.number)) {
                some = base.load(history.root(), history.number, history.certified);
                base.written = some.view();
                views.clear();
                loadedAt = history.number.value();
            }
            for (int i = 0; i < 4; i++) {
                long age = random.nextInt((int) Math.min(20, history.number.value() - loadedAt + 1));
                assertSame(
                        some,
                        history.store,
                        random.nextInt(KEYS + 3),
                        new CertificateNumber(history.number.value() - age));
                some.makeRoom();
            }
            if (random.nextInt(10) == 0) {
                views.add(new Kept(history.number, history.store.view(), some.view()));
            }
            if (!views.isEmpty() && random.nextInt(10) == 0) {
                assertSameChunks(views.get(random.nextInt(views.size())));
            }
            assertThat(some.size()).isEqualTo(history.store.size());
            assertThat(base.resting).isEqualTo(inBase(some));
            assertThat(keysThatRest(some)).hasSize((int) base.resting);
            most = Math.max(most, inBase(some));
        }
        assertThat(most).as("objects that were in the base alone").isGreaterThan(KEYS / 2);
        views.forEach(ObjectsInBaseTest::assertSameChunks);
    }

    /** Of a client that changes a base gets the blocks that changed; where it had all under one key, all of them once. */
    @Test
    void ofAClientTheBlocksThatChangeAreWritten() {
        StoreHistory history = new StoreHistory(11, 1);
        Random random = new Random(11);
        Base base = new Base();
        ObjectStore store = new ObjectStore(base);
        long number = 0;
        boolean whole = false;
        for (int round = 0; round < 150; round++) {
            long first = number;
            for (int i = random.nextInt(25); i >= 0; i--) {
                long skip = random.nextInt(60) == 0 ? random.nextInt(100) : 0;
                number += 1 + skip;
                history.update(0, skip, "n1", "pn-counter", Operation.of("increment", Value.of(1)));
            }
            VersionVector before = history.certified;
            assertThat(StoreHistory.follow(store, before, history.certify())).isEqualTo(history.root());
            int puts = base.puts;
            base.write(store.view(), history.number);
            long changed = (number - 1) / StateLeaves.BLOCK - first / StateLeaves.BLOCK + 1;
            assertThat(base.puts - puts)
                    .isLessThanOrEqualTo((int) (2 + (whole ? StateLeaves.REMEMBERED_BLOCKS + 1 : changed)));
            whole = round % 10 == 5;
            if (whole) {
                base.putWhole(store.view(), history.client(0));
                assertThat(base.contents).hasSize(2);
            }
            ObjectStore loaded = base.load(history.root(), history.number, history.certified);
            if (whole || random.nextInt(10) == 0) {
                store = loaded;
                base.written = store.view();
            }
        }
        assertThat(number).isGreaterThan((long) StateLeaves.BLOCK * (StateLeaves.REMEMBERED_BLOCKS + 10));
        assertThat(base.contents).hasSize(2 + StateLeaves.REMEMBERED_BLOCKS + 1);
    }

    /** A whole state from elsewhere replaces one whose objects are in the base alone: the base becomes that state, and no other. */
    @Test
    void aBaseFollowsASnapshotThoughTheObjectsBeforeItAreInTheBaseAlone() {
        StoreHistory history = new StoreHistory(9, 3);
        Base base = new Base();
        base.room = 0;
        history.updates(300, KEYS);
        history.certify();
        base.write(history.store.view(), history.number);
        ObjectStore some = base.load(history.root(), history.number, history.certified);
        base.written = some.view();
        assertThat(inBase(some)).isEqualTo(some.size());
        history.updates(300, KEYS);
        history.certify();
        StateAssembly assembly = new StateAssembly(history.root());
        StateView view = history.store.view();
        while (!assembly.complete()) {
            List<Place> places = new ArrayList<>();
            assembly.places(places::add);
            places.stream().filter(assembly::needs).forEach(place -> assembly.take(view.chunk(history.number, place)));
        }
        some.install(assembly.state().orElseThrow(), history.number, history.certified);
        base.write(some.view(), history.number);
        some.makeRoom();
        ObjectStore again = base.load(history.root(), history.number, history.certified);
        for (int key = 0; key < KEYS; key++) {
            assertSame(some, history.store, key, history.number);
            assertSame(again, history.store, key, history.number);
        }
    }

    /** What a damaged base gives back is never shown. */
    @Test
    void anObjectThatTheBaseGivesBackOtherwiseIsRefused() {
        StoreHistory history = new StoreHistory(10, 3);
        history.update(0, 0, "n1", "pn-counter", Operation.of("increment", Value.of(5)));
        history.certify();
        Base base = new Base();
        base.room = 0;
        base.write(history.store.view(), history.number);
        ObjectStore some = base.load(history.root(), history.number, history.certified);
        base.contents.entrySet().forEach(one -> {
            byte[] other = one.getValue().clone();
            other[other.length - 1] ^= 1;
            one.setValue(other);
        });
        assertThatThrownBy(() -> some.liveValue("n1", "pn-counter")).hasMessageContaining("the base is damaged");
        base.contents.clear();
        assertThatThrownBy(() -> some.certifiedValue("n1", "pn-counter")).hasMessageContaining("the base is damaged");
    }
}
