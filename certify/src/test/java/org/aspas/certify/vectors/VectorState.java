package org.aspas.certify.vectors;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Value;

/** The certified states of a {@link VectorWorld}, leaf by leaf as docs/formats.md §6 has them. */
final class VectorState {
    /** Of the numbers from 1 to 22: two full bytes, and six of the next eight. */
    static final int FULL = 2;

    static final byte REST = 0x3f;

    final Map<Value, Value> states = new HashMap<>();
    final StateTree elements;
    final StateTree first;
    final StateTree tree;
    private final ClientId client;
    private final List<Signed<ClientSigned>> bodies;

    VectorState(ClientId client, List<Signed<ClientSigned>> bodies) {
        this.client = client;
        this.bodies = bodies;
        StateTree set = StateTree.empty();
        for (int i = 0; i < VectorWorld.ELEMENTS; i++) {
            Value element = VectorWorld.element(i);
            Value addition = Value.sequence(List.of(Value.of(0), Value.of(VectorWorld.COUNTED + 1 + i)));
            Value state = StateLeaves.shortForm(Value.sequence(List.of(addition)));
            states.put(element, state);
            set = set.put(StateLeaves.elementPath(element), StateLeaves.element(element, state));
        }
        elements = set;
        StateTree counter =
                StateTree.empty().put(StateTree.objectPath("c"), StateLeaves.object("c", "pn-counter", Value.of(5)));
        first = withClient(counter, 0, new byte[] {1}, 1);
        tree = withClient(counter, FULL, new byte[] {REST}, VectorWorld.ALL - 1)
                .put(
                        StateTree.objectPath("s"),
                        StateLeaves.object("s", "aw-set", VectorWorld.ELEMENTS, elements.root()))
                .put(StateTree.objectPath("t"), StateLeaves.object("t", "aw-set", 0, Hash.ZERO));
    }

    /** What is counted when the numbers up to the last are. */
    List<Counted> counted(int last) {
        List<Counted> counted = new ArrayList<>();
        for (int number = 1; number <= last; number++) {
            counted.add(new Counted(
                    number, new Dot(0, number + 1), bodies.get(number).identity()));
        }
        return counted;
    }

    private StateTree withClient(StateTree before, long full, byte[] rest, int last) {
        Hash block = StateLeaves.countedBlock(counted(last));
        Hash leaf = StateLeaves.client(client, 1, 8, full, rest, List.of(block));
        return before.put(StateTree.clientPath(client.toBytes()), leaf);
    }
}
