package org.aspas.emulab.sim.script;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes reports for programs. A report is a {@link FigureTree}, or a record: its components are the keys, in snake case and in their
 * order. Fractions have at most three decimals. The first key, {@code schema_version}, grows when a key goes or changes its meaning;
 * a new key leaves it as it is.
 */
public final class JsonReport {
    /** The version of all reports of this build. */
    public static final int SCHEMA_VERSION = 1;

    private static final double THOUSAND = 1000.0;
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private JsonReport() {}

    private static final class ThreeDecimals extends JsonGeneratorDelegate {
        ThreeDecimals(JsonGenerator exact) {
            super(exact, false);
        }

        @Override
        public void writeNumber(double value) throws IOException {
            super.writeNumber(Math.round(value * THOUSAND) / THOUSAND);
        }
    }

    /** The report as indented JSON. */
    public static String text(Object report) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new ThreeDecimals(MAPPER.createGenerator(text))) {
            MAPPER.writeValue(json, report);
        } catch (IOException impossible) {
            throw new IllegalStateException("a report cannot be written as JSON", impossible);
        }
        return text.toString();
    }

    /** The value with all its decimals. */
    static <N extends JsonNode> N tree(@Nullable Object value) {
        return MAPPER.valueToTree(value);
    }

    /**
     * Reads a report that was written to a file.
     *
     * @param kind the record that it was
     * @throws IOException when the file cannot be read, or is no such report
     */
    public static <R extends Record> R read(Path file, Class<R> kind) throws IOException {
        return MAPPER.readValue(Files.readAllBytes(file), kind);
    }

    /** Writes the report to a file, making the folders it lies in. */
    public static void write(Object report, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text(report) + "\n");
    }
}
