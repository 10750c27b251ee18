package org.aspas.emulab.testbed.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.certify.identity.SignatureCounts;

/** How a process of servers tells another, in a line, of its public-key operations by party: a word and JSON. */
public final class SignatureText {
    /** The line that asks for the counts. */
    public static final String QUESTION = "signatures";

    private static final String PREFIX = "signatures: ";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<TreeMap<String, SignatureCounts.Reading>> PARTIES = new TypeReference<>() {};

    private SignatureText() {}

    public static String line(SortedMap<String, SignatureCounts.Reading> parties) {
        try {
            return PREFIX + MAPPER.writeValueAsString(parties);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("counts cannot be written as JSON", impossible);
        }
    }

    /**
     * Reads a line.
     *
     * @return empty for a line about something else
     * @throws IOException when it is about this, and cannot be read
     */
    public static Optional<SortedMap<String, SignatureCounts.Reading>> read(String line) throws IOException {
        return line.startsWith(PREFIX)
                ? Optional.of(MAPPER.readValue(line.substring(PREFIX.length()), PARTIES))
                : Optional.empty();
    }
}
