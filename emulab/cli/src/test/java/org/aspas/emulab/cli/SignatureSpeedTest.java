package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.aspas.certify.identity.Ed25519Choice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bench --signatures} prints and writes; how fast anything is, is no test. */
class SignatureSpeedTest {
    @TempDir
    Path folder;

    @Test
    void printsARowForEachLibrary() throws IOException {
        StringWriter printed = new StringWriter();
        Path json = folder.resolve("signatures.json");
        SignatureSpeed.compare(new PrintWriter(printed), json, 1);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertThat(document.get("in_use").textValue())
                .isEqualTo(Ed25519Choice.ofThisProcess().description());
        assertThat(document.get("libraries")).hasSizeGreaterThanOrEqualTo(2);
        int byTheRule = 0;
        for (JsonNode row : document.get("libraries")) {
            assertThat(printed.toString()).contains(row.get("library").textValue());
            assertThat(row.get("verify_us").doubleValue()).isPositive();
            byTheRule += row.get("by_the_rule").booleanValue() ? 1 : 0;
        }
        assertThat(document.get("libraries").get(0).get("by_the_rule").booleanValue())
                .isFalse();
        assertThat(byTheRule).isEqualTo(document.get("libraries").size() - 1);
    }
}
