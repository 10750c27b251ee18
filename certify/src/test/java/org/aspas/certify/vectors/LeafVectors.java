package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Value;

/** Leaves of the state tree, computed from what {@code state.json} says of them. */
final class LeafVectors {
    private LeafVectors() {}

    static StateLeaf computed(JsonNode one) {
        if (one.has("client")) {
            return client(one);
        }
        if (one.has("element")) {
            Value element = value(one.path("element"));
            return new StateLeaf(
                    StateLeaves.elementPath(element),
                    StateLeaves.element(element, StateLeaves.shortForm(value(one.path("state")))));
        }
        String key = one.path("key").textValue();
        String type = one.path("type").textValue();
        Hash leaf = one.has("value")
                ? StateLeaves.object(key, type, value(one.path("value")))
                : StateLeaves.object(key, type, number(one.path("size")), VectorJson.hash(one.path("root")));
        return new StateLeaf(StateTree.objectPath(key), leaf);
    }

    private static StateLeaf client(JsonNode one) {
        ClientId client = ClientId.read(VectorJson.bytes(one.path("client"))).orElseThrow();
        List<Hash> blocks = new ArrayList<>();
        for (JsonNode block : one.path("blocks")) {
            List<Counted> counted = new ArrayList<>();
            for (JsonNode each : block.path("counted")) {
                Dot dot = new Dot(
                        (int) number(each.path("dot").path(0)),
                        number(each.path("dot").path(1)));
                counted.add(new Counted(number(each.path("number")), dot, VectorJson.hash(each.path("identity"))));
            }
            blocks.add(StateLeaves.countedBlock(counted));
        }
        return new StateLeaf(
                StateTree.clientPath(client.toBytes()),
                StateLeaves.client(
                        client,
                        number(one.path("session")),
                        number(one.path("tolerance")),
                        number(one.path("fullBytes")),
                        VectorJson.bytes(one.path("rest")),
                        blocks));
    }

    private static Value value(JsonNode hex) {
        return Codec.decodeValue(VectorJson.bytes(hex)).accepted().orElseThrow();
    }

    private static long number(JsonNode text) {
        return VectorChecksTest.number(text);
    }
}
