package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** One effect per client and number, with its entries delivered and certified in every order. */
class ExactlyOnceTest {
    private final Deployment world = new Deployment(1);
    private final Sealer client = world.sealer(3, 1);

    private Entry entry(int origin, long sequence, VersionVector dependencies, long number, Operation operation) {
        ClientSigned request = new Request(new ClientId(client.publicKey()), number, "s", "aw-set", operation);
        return new Entry(new Dot(origin, sequence), dependencies, client.seal(request));
    }

    private static void deliver(ObjectStore store, Entry entry) {
        store.deliver(new DeliveredUpdate(
                entry, (Request) entry.body().message(), entry.body().identity()));
    }

    private static Operation add(long element) {
        return Operation.of("add", Value.of(element));
    }

    private static Operation remove(long element) {
        return Operation.of("remove", Value.of(element));
    }

    private static VersionVector version(long... components) {
        return VersionVector.of(components);
    }

    private static final Value EMPTY = Value.sequence(List.of());

    @Test
    void aRemoveThatSawTheSecondEntryRemovesTheEffectOfTheFirst() {
        Entry first = entry(0, 1, version(0, 0, 0, 0), 1, add(7));
        Entry second = entry(1, 1, version(0, 0, 0, 0), 1, add(7));
        Entry removal = entry(1, 2, version(0, 1, 0, 0), 2, remove(7));
        for (List<Entry> order : List.of(
                List.of(first, second, removal), List.of(second, first, removal), List.of(second, removal, first))) {
            ObjectStore store = new ObjectStore();
            order.forEach(entry -> deliver(store, entry));
            assertThat(store.liveValue("s", "aw-set")).isEqualTo(EMPTY);
            store.commit(store.candidate(version(1, 2, 0, 0), order));
            assertThat(store.certifiedValue("s", "aw-set")).isEqualTo(EMPTY);
            assertThat(store.liveValue("s", "aw-set")).isEqualTo(EMPTY);
        }
    }

    @Test
    void theFirstCertifiedEntryCountsAndLaterOnesAreItsNames() {
        Entry first = entry(0, 1, version(0, 0, 0, 0), 1, add(7));
        Entry second = entry(1, 1, version(0, 0, 0, 0), 1, add(7));
        Entry removal = entry(1, 2, version(0, 1, 0, 0), 2, remove(7));
        ObjectStore store = new ObjectStore();
        deliver(store, second);
        deliver(store, first);
        deliver(store, removal);
        store.commit(store.candidate(version(1, 0, 0, 0), List.of(first)));
        assertThat(store.certifiedValue("s", "aw-set")).isEqualTo(Value.sequence(List.of(Value.of(7))));
        assertThat(store.liveValue("s", "aw-set")).isEqualTo(EMPTY);
        store.commit(store.candidate(version(1, 2, 0, 0), List.of(second, removal)));
        assertThat(store.certifiedValue("s", "aw-set")).isEqualTo(EMPTY);
        assertThat(store.liveValue("s", "aw-set")).isEqualTo(EMPTY);
    }

    @Test
    void twoContentsUnderOneNumberCountOnceAndTheSameEverywhere() {
        Entry one = entry(0, 1, version(0, 0, 0, 0), 1, add(1));
        Entry other = entry(1, 1, version(0, 0, 0, 0), 1, add(2));
        List<Object> roots = new ArrayList<>();
        for (List<Entry> order : List.of(List.of(one, other), List.of(other, one))) {
            ObjectStore store = new ObjectStore();
            order.forEach(entry -> deliver(store, entry));
            var candidate = store.candidate(version(1, 1, 0, 0), order);
            roots.add(candidate.root());
            store.commit(candidate);
            assertThat(store.liveValue("s", "aw-set")).isEqualTo(store.certifiedValue("s", "aw-set"));
            assertThat(((Value.Sequence) store.liveValue("s", "aw-set")).items())
                    .hasSize(1);
        }
        assertThat(roots.get(0)).isEqualTo(roots.get(1));
    }
}
