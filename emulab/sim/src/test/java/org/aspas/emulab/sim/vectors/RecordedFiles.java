package org.aspas.emulab.sim.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps files of docs/vectors equal to what runs of the cores make. */
public final class RecordedFiles {
    /** Whether the files are to be written anew: {@code -Daspas.vectors=rewrite}. */
    public static final boolean REWRITE = "rewrite".equals(System.getProperty("aspas.vectors"));

    private static final Path DIRECTORY = Path.of("..", "..", "docs", "vectors");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

    private RecordedFiles() {}

    /** The file with this name, as it is in the tree. */
    public static JsonNode read(String name) throws IOException {
        return JSON.readTree(DIRECTORY.resolve(name).toFile());
    }

    /** Fails unless the file is what was made. Where it is to be written anew, it is so before. */
    public static void check(String name, JsonNode made) throws IOException {
        Path file = DIRECTORY.resolve(name);
        String text =
                JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(LINES).withArrayIndenter(LINES))
                                .writeValueAsString(made)
                        + "\n";
        if (REWRITE) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file)).isEqualTo(text);
    }
}
