package org.aspas.certify.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The files of docs/vectors are what the code makes. {@code mvn -pl certify test -Dtest=VectorFilesTest -Daspas.vectors=rewrite} writes them
 * anew; then read the difference: a vector that changed is a format that changed.
 */
class VectorFilesTest {
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("aspas.vectors"));

    @Test
    void theFilesAreWhatTheCodeMakes() throws IOException {
        for (Map.Entry<String, JsonNode> file : VectorFiles.all().entrySet()) {
            Path path = VectorJson.DIRECTORY.resolve(file.getKey());
            String text = VectorJson.text(file.getValue());
            if (REWRITE) {
                Files.createDirectories(VectorJson.DIRECTORY);
                Files.writeString(path, text);
            }
            assertEquals(Files.readString(path), text, file.getKey());
        }
    }

    /** The page says the layout of each file. */
    @Test
    void thePageNamesEachFile() throws IOException {
        String page = Files.readString(VectorJson.DIRECTORY.resolve("README.md"));
        for (String name : VectorFiles.all().keySet()) {
            assertTrue(page.contains("`" + name + "`"), name);
        }
    }
}
