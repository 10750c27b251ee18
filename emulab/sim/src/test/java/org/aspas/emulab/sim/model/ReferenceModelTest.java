package org.aspas.emulab.sim.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What the model makes of logs written by hand. */
class ReferenceModelTest {
    private static final String SET = "aw-set";
    private static final String COUNTER = "pn-counter";
    private static final Value A = Value.of("a");
    private static final Value B = Value.of("b");

    private final Logs logs = new Logs(4);
    private final ReferenceModel model = new ReferenceModel();

    private static Request add(int client, long number, Value element) {
        return Logs.request(client, number, "s", SET, Operation.of("add", element));
    }

    private static Request remove(int client, long number, Value element) {
        return Logs.request(client, number, "s", SET, Operation.of("remove", element));
    }

    private static Request count(int client, long number, String operation, long amount) {
        return Logs.request(client, number, "c", COUNTER, Operation.of(operation, Value.of(amount)));
    }

    private void certifyAll() {
        assertEquals(List.of(), logs.certify(model, logs.version()));
    }

    private Value value(String key, String type) {
        return model.valueAt(key, type, model.number()).orElseThrow();
    }

    private static Value set(Value... elements) {
        return Value.sequence(List.of(elements));
    }

    @Test
    void anAdditionWinsOverARemovalThatHasNotObservedIt() {
        logs.append(0, add(1, 1, A), 0, 0, 0, 0);
        logs.append(1, remove(2, 1, A), 1, 0, 0, 0);
        logs.append(2, add(3, 1, A), 0, 0, 0, 0);
        logs.append(2, add(3, 2, B), 0, 0, 0, 0);
        certifyAll();
        assertEquals(set(A, B), value("s", SET));
        logs.append(3, Logs.request(4, 1, "s", SET, Operation.of("clear")), 1, 1, 1, 0);
        certifyAll();
        assertEquals(set(B), value("s", SET));
        assertEquals(Optional.of(set(A, B)), model.valueAt("s", SET, 1));
    }

    @Test
    void aRemovalThatHasObservedALaterPlaceTakesTheAddition() {
        Request addition = add(1, 1, A);
        logs.append(3, addition, 0, 0, 0, 0);
        logs.append(1, addition, 0, 0, 0, 0);
        logs.append(1, remove(1, 2, A), 0, 0, 0, 0);
        certifyAll();
        assertEquals(set(), value("s", SET));
    }

    @Test
    void anUpdateHasOneEffectHoweverOftenItIsGiven() {
        for (int origin = 0; origin < 3; origin++) {
            logs.append(origin, count(1, 1, "increment", 5), 0, 0, 0, 0);
        }
        certifyAll();
        logs.append(3, count(1, 1, "increment", 5), 1, 1, 1, 0);
        certifyAll();
        assertEquals(Value.of(5), value("c", COUNTER));
    }

    @Test
    void ofTwoContentsUnderOneNumberTheLeastIdentityCounts() {
        Request one = count(1, 1, "increment", 1);
        Request other = count(1, 1, "increment", 2);
        logs.append(0, one, 0, 0, 0, 0);
        logs.append(1, other, 0, 0, 0, 0);
        certifyAll();
        Hash least = model.counted(Logs.client(1), 1).orElseThrow().identity();
        Hash greatest = Logs.sealed(least.equals(Logs.sealed(one).identity()) ? other : one)
                .identity();
        assertTrue(least.compareTo(greatest) < 0);
        assertEquals(Value.of(least.equals(Logs.sealed(one).identity()) ? 1 : 2), value("c", COUNTER));
    }

    @Test
    void countersWrapAround() {
        logs.append(0, count(1, 1, "increment", Long.MAX_VALUE), 0, 0, 0, 0);
        logs.append(1, count(2, 1, "increment", 3), 0, 0, 0, 0);
        logs.append(2, count(3, 1, "decrement", 1), 0, 0, 0, 0);
        certifyAll();
        assertEquals(Value.of(Long.MIN_VALUE + 1), value("c", COUNTER));
    }

    @Test
    void theTypeThatIsCertifiedFirstWinsAKeyAndTheOtherCountsWithoutEffect() {
        logs.append(0, Logs.request(1, 1, "k", COUNTER, Operation.of("increment", Value.of(1))), 0, 0, 0, 0);
        logs.append(1, Logs.request(2, 1, "k", SET, Operation.of("add", A)), 0, 0, 0, 0);
        certifyAll();
        assertEquals(set(A), value("k", SET));
        assertEquals(Optional.empty(), model.valueAt("k", COUNTER, 1));
        assertEquals(
                new Dot(0, 1), model.counted(Logs.client(1), 1).orElseThrow().dot());
    }

    @Test
    void aFullElementTakesNoMoreAdditionsAndOthersDo() {
        int places = 65_540;
        for (int i = 0; i < places; i++) {
            logs.append(0, add(1, 1, A), 0, 0, 0, 0);
        }
        certifyAll();
        assertEquals(set(A), value("s", SET));
        logs.append(1, add(2, 1, A), 0, 0, 0, 0);
        logs.append(1, add(2, 2, B), 0, 0, 0, 0);
        logs.append(2, remove(3, 1, A), places, 0, 0, 0);
        certifyAll();
        assertEquals(set(B), value("s", SET));
        logs.append(1, add(2, 3, A), 0, 0, 0, 0);
        certifyAll();
        assertEquals(set(A, B), value("s", SET));
    }

    @Test
    void aLiveViewIsTheCertifiedValueWithWhatCameAfter() {
        logs.append(0, add(1, 1, A), 0, 0, 0, 0);
        certifyAll();
        VersionVector certified = logs.version();
        logs.append(1, remove(2, 1, A), 1, 0, 0, 0);
        logs.append(2, add(3, 1, B), 0, 0, 0, 0);
        List<PlacedEntry> after = logs.placed(certified, logs.version());
        assertEquals(Optional.of(set(B)), model.liveValue("s", SET, 1, after));
        logs.append(3, add(3, 1, B), 0, 0, 0, 0);
        after = logs.placed(certified, logs.version());
        assertEquals(Optional.empty(), model.liveValue("s", SET, 1, after), "the order of delivery decides");
    }

    @Test
    void whatIsCertifiedComesWithAllThatItDependsOn() {
        logs.append(0, add(1, 1, A), 0, 0, 0, 0);
        logs.append(1, add(2, 1, B), 1, 0, 0, 0);
        List<Discrepancy> found = logs.certify(model, VersionVector.of(0, 1, 0, 0));
        assertEquals(1, found.size());
        assertTrue(found.get(0).text().contains("0:1, on which it depends"), found::toString);
    }

    @Test
    void whatAnExcludedOriginWroteBeyondItsCutIsNotNeeded() {
        logs.append(0, add(1, 1, A), 0, 0, 0, 0);
        logs.append(1, add(2, 1, B), 1, 0, 0, 0);
        VersionVector version = VersionVector.of(0, 1, 0, 0);
        List<Discrepancy> found = model.certify(
                logs.content(model, version, Hash.ZERO, List.of(new Exclusion(0, 0, Hash.ZERO))),
                logs.placed(VersionVector.zero(4), version));
        assertTrue(found.stream().allMatch(one -> one.about() == Discrepancy.About.STATE), found::toString);
    }

    @Test
    void anEntryOfOtherBytesAndAWrongStateRootAreSeen() {
        Entry entry = logs.append(0, add(1, 1, A), 0, 0, 0, 0);
        Entry other = logs.append(1, add(1, 2, A), 0, 0, 0, 0);
        assertFalse(PlacedEntry.of(logs.disk.entry(0, 1), other).faithful());
        PlacedEntry read = PlacedEntry.of(logs.disk.entry(0, 1), entry);
        VersionVector version = VersionVector.of(1, 0, 0, 0);
        List<Discrepancy> found = model.certify(logs.content(model, version, Hash.ZERO, List.of()), List.of(read));
        assertEquals(1, found.size());
        assertEquals(Discrepancy.About.STATE, found.get(0).about());
        assertTrue(found.get(0).text().contains(model.stateFromScratch().toString()));
    }
}
