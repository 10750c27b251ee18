package org.aspas.appserver.core.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recomputed from what concerns an object is what is recomputed from everything. */
class RecomputationTest {
    private static final int ORIGINS = 4;
    private static final List<String> KEYS = List.of("c", "s", "t");
    private static final List<String> TYPES = List.of("pn-counter", "aw-set");

    /**
     * A seeded history of four origins, of which the last one names less than it saw, and of clients that resubmit, of whom the
     * last sign two contents under one number. Signatures are no signatures.
     */
    private static final class History {
        final ObjectStore store = new ObjectStore();
        final Random random;
        final List<ClientId> clients = new ArrayList<>();
        final Map<ClientId, List<Signed<ClientSigned>>> signed = new HashMap<>();
        final List<List<Entry>> logs = new ArrayList<>();
        final List<VersionVector> known = new ArrayList<>();
        /** What is delivered, in that order. */
        final List<Entry> delivered = new ArrayList<>();

        final TreeMap<CertificateNumber, VersionVector> certificates = new TreeMap<>();
        VersionVector version = VersionVector.zero(ORIGINS);
        boolean excluded;

        History(long seed) {
            random = new Random(seed);
            for (int origin = 0; origin < ORIGINS; origin++) {
                logs.add(new ArrayList<>());
                known.add(version);
            }
            for (int i = 0; i < 6; i++) {
                byte[] key =
                        Hash.sha256(ByteBuffer.allocate(4).putInt(i).array()).toBytes();
                clients.add(new ClientId(SigningKey.of(key).publicKey()));
                signed.put(clients.get(i), new ArrayList<>());
            }
            certificates.put(CertificateNumber.NONE, version);
        }

        private Operation operation(String type) {
            if (type.equals("pn-counter")) {
                return Operation.of("increment", Value.of(1 + random.nextInt(9)));
            }
            return switch (random.nextInt(8)) {
                case 0 -> Operation.of("clear");
                case 1, 2 -> Operation.of("remove", Value.of(random.nextInt(3)));
                default -> Operation.of("add", Value.of(random.nextInt(3)));
            };
        }

        private Signed<ClientSigned> body() {
            int index = random.nextInt(random.nextInt(3) == 0 ? clients.size() : 4);
            ClientId client = clients.get(index);
            List<Signed<ClientSigned>> before = signed.get(client);
            int number = before.size() + 1;
            if (!before.isEmpty() && random.nextInt(6) == 0) {
                number = Math.max(1, before.size() - random.nextInt(4));
                if (index < 4 || random.nextBoolean()) {
                    return before.get(number - 1);
                }
            }
            String key = KEYS.get(random.nextInt(KEYS.size()));
            String type = TYPES.get((key.equals("c") ? 0 : 1) ^ (random.nextInt(60) == 0 ? 1 : 0));
            Request request = new Request(client, number, key, type, operation(type));
            Signed<ClientSigned> body =
                    new Signed<>(request, Codec.encode(request), new byte[Ed25519.SIGNATURE_LENGTH]);
            if (number > before.size()) {
                before.add(body);
            }
            return body;
        }

        void enter() {
            int origin = random.nextInt(excluded ? ORIGINS - 1 : ORIGINS);
            VersionVector seen = known.get(origin);
            if (random.nextInt(2) == 0) {
                seen = seen.join(known.get(random.nextInt(ORIGINS)));
            }
            List<Entry> log = logs.get(origin);
            VersionVector named = seen;
            if (origin == ORIGINS - 1 && !log.isEmpty() && random.nextInt(3) == 0) {
                int shown = random.nextInt(ORIGINS - 1);
                named = log.get(log.size() - 1).dependencies().with(shown, seen.get(shown));
            }
            VersionVector dependencies = named.with(origin, log.size());
            log.add(new Entry(new Dot(origin, log.size() + 1), dependencies, body()));
            known.set(origin, seen.with(origin, log.size()));
        }

        void deliver() {
            int origin = random.nextInt(ORIGINS);
            int next = (int) version.get(origin);
            if (next < logs.get(origin).size()) {
                Entry entry = logs.get(origin).get(next);
                if (version.dominates(clipped(entry.dependencies()))) {
                    version = version.with(origin, next + 1);
                    delivered.add(entry);
                    store.deliver(
                            DeliveredUpdate.of(entry, (Request) entry.body().message()));
                }
            }
        }

        private VersionVector clipped(VersionVector wanted) {
            int last = ORIGINS - 1;
            long size = logs.get(last).size();
            return excluded && wanted.get(last) > size ? wanted.with(last, size) : wanted;
        }

        /** The version of the first of what is delivered. */
        VersionVector after(int count) {
            VersionVector reached = VersionVector.zero(ORIGINS);
            for (Entry entry : delivered.subList(0, count)) {
                reached = reached.with(entry.dot().origin(), entry.dot().sequence());
            }
            return reached;
        }

        VersionVector certified() {
            return certificates.lastEntry().getValue();
        }

        List<Entry> between(VersionVector after, VersionVector upTo) {
            List<Entry> entries = new ArrayList<>();
            for (int origin = 0; origin < ORIGINS; origin++) {
                entries.addAll(logs.get(origin).subList((int) after.get(origin), (int) upTo.get(origin)));
            }
            return entries;
        }

        void certify() {
            int count = (int) certified().sum();
            VersionVector next =
                    after(count + random.nextInt(delivered.size() - count + 1)).join(certified());
            Candidate candidate = store.candidate(certified(), between(certified(), next));
            store.commit(candidate);
            certificates.put(certificates.lastKey().next(), candidate.version());
        }

        /** The last origin is cut at its certified place. */
        void exclude() {
            int last = ORIGINS - 1;
            long cut = certified().get(last);
            excluded = true;
            logs.get(last).subList((int) cut, logs.get(last).size()).clear();
            delivered.removeIf(
                    entry -> entry.dot().origin() == last && entry.dot().sequence() > cut);
            version = version.get(last) > cut ? version.with(last, cut) : version;
            store.revoke(last, cut);
        }

        Optional<Recomputation> own(CertificateNumber from, VersionVector upTo, String key, String type) {
            VersionVector after = certificates.get(from);
            return store.remembered()
                    .updates(key, from, upTo)
                    .map(places -> Recomputation.ofOwn(
                            store,
                            key,
                            type,
                            from,
                            after,
                            upTo,
                            places.stream()
                                    .map(dot -> logs.get(dot.origin()).get((int) dot.sequence() - 1))
                                    .toList()));
        }

        Recomputation all(CertificateNumber from, VersionVector upTo, String key, String type) {
            VersionVector after = certificates.get(from);
            return Recomputation.ofAll(store, key, type, from, after, between(after, upTo));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void fromWhatConcernsTheObjectAsFromEverything(long seed) {
        History history = new History(seed);
        Random random = history.random;
        int own = 0;
        int asked = 0;
        int values = 0;
        for (int step = 0; step < 1_500; step++) {
            history.enter();
            for (int i = 0; i < 6; i++) {
                history.deliver();
            }
            if (random.nextInt(20) == 0) {
                history.store.remembered().tick(step * 400L);
                history.certify();
            }
            if (step == 900 && seed % 2 == 0) {
                history.exclude();
            }
            CertificateNumber from = history.certificates.keySet().stream()
                    .filter(history.store.remembered()::has)
                    .skip(random.nextInt((int) history.certificates.keySet().stream()
                            .filter(history.store.remembered()::has)
                            .count()))
                    .findFirst()
                    .orElseThrow();
            int first = (int) history.certificates.get(from).sum();
            VersionVector upTo = history.after(first + random.nextInt(history.delivered.size() - first + 1))
                    .join(history.certificates.get(from));
            String key = KEYS.get(random.nextInt(KEYS.size()));
            String type = TYPES.get(random.nextInt(TYPES.size()));
            ReadPart part = random.nextInt(3) == 0 ? ReadPart.element(Value.of(random.nextInt(3))) : null;
            Optional<Recomputation> mine = history.own(from, upTo, key, type);
            asked++;
            if (mine.isPresent()) {
                own++;
                Optional<Optional<Value>> expected =
                        history.all(from, upTo, key, type).live(part);
                assertThat(mine.get().live(part))
                        .as("seed %d, step %d: %s %s from %s to %s", seed, step, key, type, from, upTo)
                        .isEqualTo(expected);
                values += expected.isPresent() ? 1 : 0;
            }
        }
        assertThat(own).isGreaterThan(asked / 5);
        assertThat(values).isGreaterThan(asked / 20);
    }

    private static DeliveredUpdate update(int origin, long sequence, Request request) {
        Signed<ClientSigned> body = new Signed<>(request, Codec.encode(request), new byte[Ed25519.SIGNATURE_LENGTH]);
        Entry entry =
                new Entry(new Dot(origin, sequence), VersionVector.zero(ORIGINS).with(origin, sequence - 1), body);
        return DeliveredUpdate.of(entry, request);
    }

    private static Request request(ClientId client, long number, long amount) {
        return new Request(client, number, "c", "pn-counter", Operation.of("increment", Value.of(amount)));
    }

    private static Optional<List<Dot>> places(ObjectStore store, VersionVector upTo) {
        return store.remembered().updates("c", CertificateNumber.NONE, upTo);
    }

    /** The live view of the first object shows the one content or the other, whichever came first. */
    @Test
    void aSecondContentUnderAnotherKeyIsSeen() {
        StoreHistory clients = new StoreHistory(1, 1);
        ObjectStore store = new ObjectStore();
        Request other =
                new Request(clients.client(0), 1, "another key", "pn-counter", Operation.of("increment", Value.of(7)));
        store.deliver(update(0, 1, request(clients.client(0), 1, 5)));
        store.deliver(update(1, 1, other));
        assertThat(places(store, VersionVector.of(1, 1, 0, 0))).isEmpty();
    }

    @Test
    void aPlaceThatWasTakenBackAndIsFilledAgainCountsOnce() {
        StoreHistory clients = new StoreHistory(1, 2);
        ObjectStore store = new ObjectStore();
        store.deliver(update(3, 1, request(clients.client(0), 1, 5)));
        store.revoke(3, 0);
        store.deliver(update(3, 1, request(clients.client(1), 1, 7)));
        assertThat(places(store, VersionVector.of(0, 0, 0, 1)).orElseThrow()).containsExactly(new Dot(3, 1));
    }

    /** A certificate has the first content, which counts nothing and is forgotten with its number; so nobody would see the second. */
    @Test
    void whereANumberCountsNothingEverythingIsLookedAt() {
        StoreHistory clients = new StoreHistory(1, 1);
        ObjectStore store = new ObjectStore();
        DeliveredUpdate first = update(0, 1, request(clients.client(0), 1 << 20, 5));
        DeliveredUpdate second = update(1, 1, request(clients.client(0), 1 << 20, 7));
        store.deliver(first);
        assertThat(places(store, VersionVector.of(1, 0, 0, 0))).isPresent();
        store.commit(store.candidate(VersionVector.zero(ORIGINS), List.of(first.entry())));
        store.deliver(second);
        assertThat(places(store, VersionVector.of(1, 1, 0, 0))).isEmpty();
        assertThat(Recomputation.ofAll(
                                store,
                                "c",
                                "pn-counter",
                                CertificateNumber.NONE,
                                VersionVector.zero(ORIGINS),
                                List.of(first.entry(), second.entry()))
                        .live(null))
                .isEmpty();
    }

    /** A state that came as a whole says of a number which content counts, and not which others were delivered here. */
    @Test
    void afterAStateWasInstalledEverythingIsLookedAt() {
        StoreHistory history = new StoreHistory(5, 2);
        history.update(0, 0, "c", "pn-counter", Operation.of("increment", Value.of(1)));
        history.certify();
        StateAssembly assembly = new StateAssembly(history.root());
        while (!assembly.complete()) {
            List<SnapshotPull.Place> missing = new ArrayList<>();
            assembly.places(missing::add);
            missing.forEach(place -> assembly.take(history.store.view().chunk(history.number, place)));
        }
        ObjectStore late = new ObjectStore();
        late.deliver(update(1, 1, request(history.client(0), 1, 7)));
        late.deliver(update(1, 2, request(history.client(1), 1, 9)));
        late.install(assembly.state().orElseThrow(), history.number, history.certified);
        assertThat(late.remembered().updates("c", history.number, history.certified.with(1, 2)))
                .isEmpty();
        assertThat(late.remembered().updates("c", history.number, history.certified))
                .contains(List.of());
    }

    /** States are kept while certificates follow fast, and after that for some of the newest alone. */
    @Test
    void statesAreKeptForSomeCertificatesAndForATime() {
        StoreHistory history = new StoreHistory(3, 3);
        history.store.remembered().tick(1_000_000);
        for (int i = 0; i < 100; i++) {
            history.updates(3, 5);
            history.certify();
        }
        assertThat(history.store.remembered().has(CertificateNumber.NONE)).isTrue();
        history.store.remembered().tick(1_000_000 + RememberedStates.MILLIS);
        history.updates(3, 5);
        history.certify();
        assertThat(history.store.remembered().has(new CertificateNumber(68))).isFalse();
        assertThat(history.store.remembered().has(new CertificateNumber(69))).isTrue();
        Map<String, Long> gauges = new TreeMap<>();
        history.store.measure(gauges);
        assertThat(gauges.get("inspectable_entries")).isEqualTo(3L * RememberedStates.CERTIFICATES);
        assertThat(gauges.get("inspectable_certificates")).isEqualTo(RememberedStates.CERTIFICATES);
    }

    /** However much is certified, what is kept for the time's sake is bounded. */
    @Test
    void moreThanTheBoundIsNotKeptForTheTimesSake() {
        StoreHistory history = new StoreHistory(4, 3);
        history.store.remembered().tick(1_000_000);
        Map<String, Long> gauges = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            for (int key = 0; key < 2_000; key++) {
                history.update(0, 0, "n" + key, "pn-counter", Operation.of("increment", Value.of(1)));
            }
            history.certify();
            history.store.measure(gauges);
            assertThat(gauges.get("inspectable_entries")).isLessThanOrEqualTo(RememberedStates.MOST_ENTRIES);
        }
        assertThat(history.store.remembered().has(CertificateNumber.NONE)).isFalse();
    }

    /** Places are forgotten with the states before them. */
    @Test
    void placesAreForgottenWithTheStates() {
        History history = new History(2);
        Map<String, Long> gauges = new TreeMap<>();
        for (int step = 0; step < 4_000; step++) {
            history.enter();
            history.deliver();
            history.deliver();
            if (step % 20 == 0) {
                history.store.remembered().tick(step * 1_000L);
                history.certify();
            }
        }
        history.store.measure(gauges);
        assertThat(gauges.get("inspectable_updates")).isBetween(50L, 3_000L);
    }
}
