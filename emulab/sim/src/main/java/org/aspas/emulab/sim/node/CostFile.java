package org.aspas.emulab.sim.node;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Costs as a file of JSON, with where they come from.
 *
 * @param schemaVersion {@value #VERSION}
 * @param machine what was measured: processors, system and Java
 * @param measured when, as a date and time
 * @param how for each kind of cost, how it was measured, in a sentence
 * @param samples how many measurements each step's cost comes from
 */
public record CostFile(
        int schemaVersion,
        String machine,
        String measured,
        Map<String, String> how,
        Map<String, Long> samples,
        Costs costs) {
    /** The version of files that this build reads and writes. */
    public static final int VERSION = 1;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    public CostFile {
        how = Map.copyOf(new TreeMap<>(how));
        samples = Map.copyOf(new TreeMap<>(samples));
    }

    /**
     * Reads a file.
     *
     * @param name the file's name, for the message
     * @throws IllegalArgumentException naming the file, and what is wrong in which line
     */
    public static CostFile read(String name, byte[] bytes) {
        try {
            CostFile file = MAPPER.readValue(bytes, CostFile.class);
            if (file.schemaVersion != VERSION) {
                throw new IllegalArgumentException(
                        name + " has schema_version " + file.schemaVersion + ": this build reads " + VERSION);
            }
            return file;
        } catch (JacksonException wrong) {
            int line = wrong.getLocation() == null ? 1 : wrong.getLocation().getLineNr();
            throw new IllegalArgumentException(
                    name + ":" + line + ": this is no file of costs: " + wrong.getOriginalMessage(), wrong);
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes in memory cannot be read", impossible);
        }
    }

    public String text() {
        try {
            return MAPPER.writeValueAsString(this) + "\n";
        } catch (JacksonException impossible) {
            throw new IllegalStateException("costs cannot be written as JSON", impossible);
        }
    }
}
