package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.aspas.appserver.core.object.Candidate;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.Recomputation;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** The order in which a certificate's entries are applied keeps causality, whatever dependencies the entries claim. */
class CanonicalOrderTest {
    private static final Value EMPTY = Value.sequence(List.of());
    private static final VersionVector NONE = VersionVector.zero(4);

    private final Deployment world = new Deployment(1);
    private final Sealer client = world.sealer(3, 1);
    private long numbers;

    private Entry entry(int origin, long sequence, Operation operation, long... dependencies) {
        return entry(origin, sequence, ++numbers, operation, dependencies);
    }

    private Entry entry(int origin, long sequence, long number, Operation operation, long... dependencies) {
        ClientSigned request = new Request(new ClientId(client.publicKey()), number, "s", "aw-set", operation);
        return new Entry(new Dot(origin, sequence), VersionVector.of(dependencies), client.seal(request));
    }

    private static Operation add(long element) {
        return Operation.of("add", Value.of(element));
    }

    private static Operation remove(long element) {
        return Operation.of("remove", Value.of(element));
    }

    /** Delivers in the order given, certifies from any order, and expects the same value live, certified and recomputed. */
    private void assertEverywhere(Value expected, List<Entry> delivered) {
        for (long seed = 0; seed < 20; seed++) {
            ObjectStore store = new ObjectStore();
            delivered.forEach(entry -> store.deliver(new DeliveredUpdate(
                    entry, (Request) entry.body().message(), entry.body().identity())));
            assertThat(store.liveValue("s", "aw-set")).isEqualTo(expected);
            List<Entry> range = new ArrayList<>(delivered);
            Collections.shuffle(range, new Random(seed));
            assertThat(Recomputation.ofAll(store, "s", "aw-set", CertificateNumber.NONE, NONE, range)
                            .value())
                    .as("recomputed, seed %d", seed)
                    .contains(expected);
            store.commit(store.candidate(NONE, range));
            assertThat(store.certifiedValue("s", "aw-set"))
                    .as("certified, seed %d", seed)
                    .isEqualTo(expected);
            assertThat(store.liveValue("s", "aw-set")).isEqualTo(expected);
        }
    }

    /** Origin 3 saw the addition and names it, but not what the addition itself depends on. */
    @Test
    void aLiarThatNamesLessThanItSawComesAfterWhatItNames() {
        Entry before = entry(1, 1, add(1), 0, 0, 0, 0);
        Entry addition = entry(0, 1, add(7), 0, 1, 0, 0);
        Entry removal = entry(3, 1, remove(7), 1, 0, 0, 0);
        assertEverywhere(Value.sequence(List.of(Value.of(1))), List.of(before, addition, removal));
    }

    /** Server 1 saw ten entries of origin 3, of which a cut left none; server 0 saw none of them. */
    @Test
    void dependenciesBeyondACutDoNotMoveAnEntryBehindThoseThatSawIt() {
        Entry addition = entry(1, 1, add(7), 0, 0, 0, 10);
        Entry removal = entry(0, 1, remove(7), 0, 1, 0, 0);
        assertEverywhere(EMPTY, List.of(addition, removal));
    }

    @Test
    void dependenciesAsLargeAsCanBeAreBorne() {
        Entry addition = entry(1, 1, add(7), 1, 0, Long.MAX_VALUE, Long.MAX_VALUE);
        Entry removal = entry(0, 1, remove(7), 0, 0, Long.MAX_VALUE, 0);
        assertEverywhere(Value.sequence(List.of(Value.of(7))), List.of(removal, addition));
    }

    /**
     * One request stands at three places that saw different things, so what it replaces depends on which place came first: a
     * server that shows the outcome of its own order must not be blamed for it.
     */
    @Test
    void aNumberAtSeveralPlacesIsContestedUntilOneOfThemCounts() {
        Entry first = entry(0, 1, add(7), 0, 0, 0, 0);
        Entry early = entry(1, 1, 99, add(7), 0, 0, 0, 0);
        Entry late = entry(2, 1, 99, add(7), 1, 0, 0, 0);
        Entry removal = entry(3, 1, remove(7), 0, 1, 0, 0);
        List<Entry> range = List.of(first, early, late, removal);
        ObjectStore store = new ObjectStore();
        List.of(first, late, early, removal)
                .forEach(entry -> store.deliver(new DeliveredUpdate(
                        entry, (Request) entry.body().message(), entry.body().identity())));
        assertThat(Recomputation.ofAll(store, "s", "aw-set", CertificateNumber.NONE, NONE, range)
                        .value())
                .isEmpty();
        store.commit(store.candidate(NONE, range));
        assertThat(store.liveValue("s", "aw-set")).isEqualTo(store.certifiedValue("s", "aw-set"));
        assertThat(Recomputation.ofAll(
                                store, "s", "aw-set", CertificateNumber.FIRST, VersionVector.of(1, 1, 1, 1), List.of())
                        .value())
                .contains(store.certifiedValue("s", "aw-set"));
    }

    /**
     * Origin 3 names the removal at origin 0, which names the entry that origin 3 put there at first: neither can come before
     * the other, nor what depends on them. What stands before them is ordered all the same.
     */
    @Test
    void entriesThatWaitForEachOtherAndWhatDependsOnThemAreLeftOut() {
        Entry before = entry(1, 1, add(1), 0, 0, 0, 0);
        Entry first = entry(0, 1, add(2), 0, 1, 0, 0);
        Entry removal = entry(0, 2, remove(1), 1, 1, 0, 1);
        Entry forked = entry(3, 1, add(7), 2, 0, 0, 0);
        Entry after = entry(2, 1, add(8), 2, 1, 0, 1);
        for (long seed = 0; seed < 20; seed++) {
            List<Entry> range = new ArrayList<>(List.of(before, first, removal, forked, after));
            Collections.shuffle(range, new Random(seed));
            ObjectStore store = new ObjectStore();
            assertThat(Recomputation.ofAll(store, "s", "aw-set", CertificateNumber.NONE, NONE, range)
                            .value())
                    .as("seed %d", seed)
                    .isEmpty();
            Candidate candidate = store.candidate(NONE, range);
            assertThat(candidate.version()).isEqualTo(VersionVector.of(1, 1, 0, 0));
            assertThat(candidate.range()).containsExactly(before, first);
            store.commit(candidate);
            assertThat(store.certifiedValue("s", "aw-set"))
                    .isEqualTo(Value.sequence(List.of(Value.of(1), Value.of(2))));
        }
    }

    /** As the format defines it: each time the next entry of the lowest origin whose next one depends on none that is left. */
    private static List<Entry> byDefinition(List<Entry> entries) {
        List<Entry> left = new ArrayList<>(entries);
        left.sort(Comparator.comparing(Entry::dot));
        List<Entry> ordered = new ArrayList<>();
        for (int at = 0; at < left.size(); at++) {
            Entry next = left.get(at);
            boolean first = left.subList(0, at).stream()
                    .noneMatch(other -> other.dot().origin() == next.dot().origin());
            boolean ready = left.stream()
                    .filter(other -> other.dot().origin() != next.dot().origin())
                    .noneMatch(other -> next.dependencies().covers(other.dot()));
            if (first && ready) {
                ordered.add(left.remove(at));
                at = -1;
            }
        }
        return ordered;
    }

    @Test
    void theOrderIsThatOfTheDefinitionWhateverEntriesDependOn() {
        int circles = 0;
        for (long seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            long[] sizes = new long[4];
            List<Entry> range = new ArrayList<>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                int origin = random.nextInt(4);
                long[] dependencies = new long[4];
                for (int other = 0; other < 4; other++) {
                    long most = other == origin ? sizes[other] : sizes[other] + random.nextInt(20) / 19;
                    dependencies[other] = other == origin ? most : (long) (random.nextDouble() * (most + 1));
                }
                range.add(entry(origin, ++sizes[origin], add(i), dependencies));
            }
            Collections.shuffle(range, random);
            List<Entry> expected = byDefinition(range);
            circles += expected.size() < range.size() ? 1 : 0;
            assertThat(new ObjectStore().candidate(NONE, range).range())
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
        assertThat(circles).as("with entries that wait for each other").isBetween(10, 390);
    }
}
