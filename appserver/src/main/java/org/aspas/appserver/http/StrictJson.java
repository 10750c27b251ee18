package org.aspas.appserver.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Reads JSON only where two readers cannot take it for two different things: one value, no name twice in an object, nothing behind
 * it (RFC 8259, I-JSON of RFC 7493). Thread-safe.
 */
final class StrictJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** How Jackson's message begins when a name stands twice; a test notices when it changes. */
    private static final String DUPLICATE = "Duplicate field '";

    private StrictJson() {}

    /**
     * Reads a value.
     *
     * @param what is read, as the first words of an error
     * @throws ProblemException when it is no JSON, in words of this server and with the place
     */
    static JsonNode read(String text, String what) {
        if (text.isBlank()) {
            throw new ProblemException(Problem.badRequest(what + " is empty where JSON is expected."));
        }
        if (text.charAt(0) == '\uFEFF') {
            throw new ProblemException(
                    Problem.badRequest(what + " begins with a byte order mark, which JSON does not have."));
        }
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException wrong) {
            throw new ProblemException(Problem.badRequest(what + " " + reason(wrong) + place(wrong) + "."));
        }
    }

    /** An object without names. */
    static JsonNode nothing() {
        return MAPPER.createObjectNode();
    }

    private static String reason(JsonProcessingException wrong) {
        String said = wrong.getOriginalMessage();
        if (said.startsWith(DUPLICATE)) {
            return "has the name '" + said.substring(DUPLICATE.length(), said.lastIndexOf('\''))
                    + "' twice in one object";
        }
        if (wrong instanceof StreamConstraintsException) {
            return "is JSON nested too deeply, or with too long a number or name";
        }
        if (wrong instanceof JsonEOFException) {
            return "is JSON that ends too early";
        }
        return wrong instanceof MismatchedInputException ? "has more behind its JSON value" : "is not valid JSON";
    }

    private static String place(JsonProcessingException wrong) {
        return wrong.getLocation() == null
                ? ""
                : " (line " + wrong.getLocation().getLineNr() + ", column "
                        + wrong.getLocation().getColumnNr() + ")";
    }
}
