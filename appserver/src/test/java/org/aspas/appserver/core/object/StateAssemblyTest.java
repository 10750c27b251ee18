package org.aspas.appserver.core.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** Chunks of one store's state make an equal store, and no chunk that differs from it in anything is taken. */
class StateAssemblyTest {
    private static final int CLIENTS = 12;
    private static final String BIG = "big";

    private final StoreHistory history = new StoreHistory(5, CLIENTS);

    private void fill(int objects) {
        for (int client = 0; client < CLIENTS; client++) {
            history.session(client, 3 + client);
        }
        for (int key = 0; key < objects; key++) {
            history.update(key % CLIENTS, 0, "k" + key, "pn-counter", Operation.of("increment", Value.of(key + 1)));
        }
        for (int i = 0; i < 3000; i++) {
            history.update(0, 0, BIG, "aw-set", Operation.of("add", Value.of("an element " + i)));
        }
        history.updates(2000, 300);
        history.update(1, 3, "gap", "pn-counter", Operation.of("increment", Value.of(1)));
        history.update(1, 2, "gap", "pn-counter", Operation.of("increment", Value.of(1)));
        history.certify();
    }

    private static SnapshotChunk travelled(SnapshotChunk chunk) {
        return Codec.decode(Codec.encode(chunk), SnapshotChunk.class).accepted().orElseThrow();
    }

    /** Takes all chunks; how many there were. */
    private int assemble(StateView view, StateAssembly assembly) {
        int chunks = 0;
        while (!assembly.complete()) {
            List<Place> places = new ArrayList<>();
            assembly.places(places::add);
            for (Place place : places) {
                SnapshotChunk chunk = view.chunk(history.number, place);
                assertThat(Codec.encode(chunk).length).isLessThan(512 << 10);
                if (assembly.needs(place)) {
                    assertThat(assembly.take(travelled(chunk))).isTrue();
                    chunks++;
                }
            }
        }
        return chunks;
    }

    private ObjectStore joined(Hash root, StateView view, VersionVector version) {
        StateAssembly assembly = new StateAssembly(root);
        assemble(view, assembly);
        ObjectStore joiner = new ObjectStore();
        joiner.install(assembly.state().orElseThrow(), history.number, version);
        return joiner;
    }

    @Test
    void aStoreThatWasEmptyHasTheSameStateAndComputesTheSameLaterOnes() {
        fill(10_000);
        StateAssembly assembly = new StateAssembly(history.root());
        assertThat(assemble(history.store.view(), assembly)).isGreaterThan(10);
        ObjectStore joiner = new ObjectStore();
        joiner.install(assembly.state().orElseThrow(), history.number, history.certified);
        assertThat(joiner.tree().root()).isEqualTo(history.root());
        assertThat(joiner.size()).isEqualTo(history.store.size());
        assertThat(joiner.liveValue("k7", "pn-counter")).isEqualTo(Value.of(8));
        assertThat(joiner.certifiedValue(BIG, "aw-set")).isEqualTo(history.store.certifiedValue(BIG, "aw-set"));
        for (int round = 0; round < 5; round++) {
            history.updates(200, 300);
            history.update(2, 0, BIG, "aw-set", Operation.of("remove", Value.of("an element " + round)));
            history.update(1, 1, "gap", "pn-counter", Operation.of("increment", Value.of(1)));
            VersionVector before = history.certified;
            assertThat(StoreHistory.follow(joiner, before, history.certify())).isEqualTo(history.root());
        }
    }

    @Test
    void aViewStaysAsItIsWhateverIsCertifiedLater() {
        fill(500);
        Hash root = history.root();
        VersionVector version = history.certified;
        StateView view = history.store.view();
        List<List<Entry>> later = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            history.updates(300, 300);
            later.add(history.certify());
        }
        ObjectStore joiner = joined(root, view, version);
        assertThat(joiner.tree().root()).isEqualTo(root);
        VersionVector at = version;
        for (List<Entry> range : later) {
            StoreHistory.follow(joiner, at, range);
            at = at.with(0, at.get(0) + range.size());
        }
        assertThat(joiner.tree().root()).isEqualTo(history.root());
    }

    @Test
    void updatesThatTheSnapshotDoesNotCoverStayInTheLiveView() {
        fill(20);
        ObjectStore joiner = new ObjectStore();
        history.update(3, 0, "k3", "pn-counter", Operation.of("increment", Value.of(5)));
        List<Entry> covered = history.certify();
        history.update(3, 0, "k3", "pn-counter", Operation.of("increment", Value.of(100)));
        history.update(3, 0, "mine", "pn-counter", Operation.of("increment", Value.of(1)));
        VersionVector version = history.certified;
        StateView view = history.store.view();
        Hash root = history.root();
        List<Entry> own = history.certify();
        deliver(joiner, covered);
        deliver(joiner, own);
        StateAssembly assembly = new StateAssembly(root);
        assemble(view, assembly);
        joiner.install(assembly.state().orElseThrow(), history.number, version);
        assertThat(joiner.certifiedValue("k3", "pn-counter")).isEqualTo(Value.of(4 + 5));
        assertThat(joiner.liveValue("k3", "pn-counter")).isEqualTo(Value.of(4 + 5 + 100));
        assertThat(joiner.liveValue("mine", "pn-counter")).isEqualTo(Value.of(1));
        assertThat(StoreHistory.follow(joiner, version, own)).isEqualTo(history.root());
        assertThat(joiner.liveValue("k3", "pn-counter")).isEqualTo(Value.of(4 + 5 + 100));
    }

    private static void deliver(ObjectStore store, List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry.body().message() instanceof Request request) {
                store.deliver(DeliveredUpdate.of(entry, request));
            }
        }
    }

    /** Every change of one leaf in any of the chunks is noticed with that chunk. */
    private int refused(UnaryOperator<SnapshotLeaf> forgery) {
        StateView view = history.store.view();
        StateAssembly assembly = new StateAssembly(history.root());
        int forged = 0;
        while (!assembly.complete()) {
            List<Place> places = new ArrayList<>();
            assembly.places(places::add);
            for (Place place : places) {
                if (!assembly.needs(place)) {
                    continue;
                }
                SnapshotChunk chunk = view.chunk(history.number, place);
                for (int i = 0; i < chunk.leaves().size(); i++) {
                    SnapshotLeaf other = forgery.apply(chunk.leaves().get(i));
                    if (!other.equals(chunk.leaves().get(i))) {
                        List<SnapshotLeaf> leaves = new ArrayList<>(chunk.leaves());
                        leaves.set(i, other);
                        SnapshotChunk wrong = new SnapshotChunk(chunk.number(), chunk.place(), chunk.proof(), leaves);
                        assertThat(assembly.take(wrong)).as("%s", other).isFalse();
                        forged++;
                        break;
                    }
                }
                assertThat(assembly.take(chunk)).isTrue();
            }
        }
        assertThat(assembly.state()).isPresent();
        return forged;
    }

    @Test
    void aForgedObjectOrElementIsRefused() {
        fill(100);
        assertThat(refused(leaf -> leaf instanceof SnapshotLeaf.Whole whole
                        ? new SnapshotLeaf.Whole(whole.key(), whole.type(), Value.of(77))
                        : leaf))
                .isPositive();
        assertThat(refused(leaf -> leaf instanceof SnapshotLeaf.Element element
                        ? new SnapshotLeaf.Element(
                                element.element(),
                                Value.sequence(List.of(Value.sequence(List.of(Value.of(2), Value.of(9))))))
                        : leaf))
                .isPositive();
        assertThat(refused(leaf -> leaf instanceof SnapshotLeaf.OfElements object && object.elements() != null
                        ? new SnapshotLeaf.OfElements(
                                object.key(), object.type(), object.size(), object.root(), List.of())
                        : leaf))
                .isPositive();
    }

    /** A small set travels with its elements, of which one is another. */
    @Test
    void aForgedElementThatTravelsWithItsSetIsRefused() {
        fill(100);
        assertThat(refused(leaf -> leaf instanceof SnapshotLeaf.OfElements object ? withAnotherElement(object) : leaf))
                .isPositive();
    }

    private static SnapshotLeaf withAnotherElement(SnapshotLeaf.OfElements object) {
        List<SnapshotLeaf.Element> given = object.elements();
        if (given == null || given.isEmpty()) {
            return object;
        }
        List<SnapshotLeaf.Element> elements = new ArrayList<>(given);
        elements.set(
                0,
                new SnapshotLeaf.Element(Value.of("another one"), given.get(0).state()));
        return new SnapshotLeaf.OfElements(object.key(), object.type(), object.size(), object.root(), elements);
    }

    private static SnapshotLeaf changed(SnapshotLeaf leaf, UnaryOperator<SnapshotLeaf.OfClient> change) {
        return leaf instanceof SnapshotLeaf.OfClient client ? change.apply(client) : leaf;
    }

    private static SnapshotLeaf.OfClient client(
            SnapshotLeaf.OfClient c, long session, long full, byte[] rest, List<List<Counted>> blocks) {
        return new SnapshotLeaf.OfClient(c.client(), session, c.tolerance(), full, rest, blocks);
    }

    @Test
    void aForgedClientIsRefused() {
        fill(100);
        assertThat(refused(leaf -> changed(leaf, c -> client(c, c.session() + 1, c.full(), c.rest(), c.blocks()))))
                .isPositive();
        assertThat(refused(leaf -> changed(leaf, c -> client(c, c.session(), c.full() + 1, c.rest(), c.blocks()))))
                .isPositive();
        assertThat(refused(leaf -> changed(leaf, c -> client(c, c.session(), c.full(), new byte[] {64}, c.blocks()))))
                .isPositive();
        assertThat(refused(leaf -> changed(leaf, c -> forgedLast(c, true)))).isPositive();
        assertThat(refused(leaf -> changed(leaf, c -> forgedLast(c, false)))).isPositive();
        assertThat(refused(leaf -> changed(
                        leaf,
                        c -> client(
                                c,
                                c.session(),
                                c.full(),
                                c.rest(),
                                c.blocks().subList(1, c.blocks().size())))))
                .isPositive();
    }

    /** The last update that counted had another place, or other words. */
    private static SnapshotLeaf.OfClient forgedLast(SnapshotLeaf.OfClient client, boolean place) {
        List<List<Counted>> blocks = new ArrayList<>(client.blocks());
        List<Counted> block = new ArrayList<>(blocks.remove(blocks.size() - 1));
        Counted last = block.remove(block.size() - 1);
        block.add(
                place
                        ? new Counted(last.number(), new Dot(3, 1), last.identity())
                        : new Counted(last.number(), last.dot(), Hash.ZERO));
        blocks.add(block);
        return client(client, client.session(), client.full(), client.rest(), blocks);
    }
}
