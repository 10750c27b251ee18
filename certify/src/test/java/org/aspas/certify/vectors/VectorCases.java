package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** One list of vectors that grows: each has a name, and says whether it is valid or why it is not. */
final class VectorCases {
    private final ArrayNode cases = VectorJson.array();

    /** A case that must be accepted, whose other fields follow. */
    ObjectNode valid(String name) {
        return cases.addObject().put("name", name).put("valid", true);
    }

    /** A case that must be refused, whose other fields follow. */
    ObjectNode invalid(String name, String reason) {
        return cases.addObject().put("name", name).put("valid", false).put("reason", reason);
    }

    ArrayNode list() {
        return cases;
    }
}
