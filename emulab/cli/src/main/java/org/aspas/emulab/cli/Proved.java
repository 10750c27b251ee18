package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.port.ReadProof;
import org.aspas.crdt.value.Value;

/** What a proof of a certified value says, as fields of JSON. */
final class Proved {
    private Proved() {}

    /** Adds the object, and its value, the elements of a page, or whether one element is in it. */
    static void describe(ObjectNode out, ReadProof proof) {
        out.put("key", proof.read().key());
        out.put("type", proof.read().type());
        ReadPart part = proof.read().part();
        Value element = part == null ? null : part.element();
        List<Value> elements = proof.value() instanceof Value.Sequence sequence ? sequence.items() : List.of();
        if (element != null) {
            out.set("element", ElementArgument.json(element));
            out.put("has", !elements.isEmpty());
        } else if (proof.value() instanceof Value.Int number) {
            out.put("value", number.value());
        } else {
            ArrayNode all = out.putArray("elements");
            elements.forEach(each -> all.add(ElementArgument.json(each)));
            if (part != null) {
                out.put("page_from", String.valueOf(part.from()));
            }
        }
    }
}
