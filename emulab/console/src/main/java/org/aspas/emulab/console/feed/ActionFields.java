package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.console.feed.ActionRefused.Why;

/** The fields of an action's body. */
public final class ActionFields {
    private final ObjectNode fields;

    /** Checks that the body has exactly these fields. */
    public ActionFields(ObjectNode fields, String... names) throws ActionRefused {
        List<String> known = List.of(names);
        for (Iterator<String> given = fields.fieldNames(); given.hasNext(); ) {
            String name = given.next();
            if (!known.contains(name)) {
                throw new ActionRefused(Why.BAD_FIELD, "There is no field " + name + " here.");
            }
        }
        for (String name : known) {
            if (!fields.has(name)) {
                throw new ActionRefused(Why.BAD_FIELD, "The field " + name + " is missing.");
            }
        }
        this.fields = fields;
    }

    public String text(String name) throws ActionRefused {
        JsonNode value = fields.get(name);
        if (!value.isTextual()) {
            throw new ActionRefused(Why.BAD_FIELD, "The field " + name + " is not a text.");
        }
        return value.asText();
    }

    /** Returns an integer within a range; empty for null. */
    public Optional<Long> number(String name, long least, long most) throws ActionRefused {
        JsonNode value = fields.get(name);
        if (value.isNull()) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least || value.asLong() > most) {
            throw new ActionRefused(
                    Why.BAD_FIELD, "The field " + name + " is not an integer from " + least + " to " + most + ".");
        }
        return Optional.of(value.asLong());
    }

    public JsonNode any(String name) {
        return fields.get(name);
    }

    public NodeId node(String name, Quorums quorums) throws ActionRefused {
        String text = text(name);
        for (int server = 0; server < quorums.appservers(); server++) {
            if (NodeId.appserver(server).toString().equals(text)) {
                return NodeId.appserver(server);
            }
        }
        for (int replica = 0; replica < quorums.bftservers(); replica++) {
            if (NodeId.bftserver(replica).toString().equals(text)) {
                return NodeId.bftserver(replica);
            }
        }
        throw new ActionRefused(Why.NOT_FOUND, "There is no node " + text + ".");
    }
}
