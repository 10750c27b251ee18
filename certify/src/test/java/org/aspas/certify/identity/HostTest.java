package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.certify.wire.KeyRule;
import org.junit.jupiter.api.Test;

/** Hosts and keys are those of docs/vectors/texts.json. */
class HostTest {
    private static JsonNode vectors(String name) throws IOException {
        return new ObjectMapper()
                .readTree(Files.readAllBytes(Path.of("../docs/vectors/texts.json")))
                .get(name);
    }

    private static String text(JsonNode one) {
        JsonNode repeat = one.get("repeat");
        return repeat == null
                ? one.path("text").textValue()
                : repeat.get(0).textValue().repeat(repeat.get(1).intValue());
    }

    @Test
    void hostsAreThoseOfTheVectors() throws IOException {
        int cases = 0;
        for (JsonNode one : vectors("hosts")) {
            String host = text(one);
            if (host != null) {
                cases++;
                boolean valid = one.get("valid").booleanValue();
                assertEquals(valid, Host.fault(host).isEmpty(), one + ": " + Host.fault(host));
                if (valid) {
                    String written = host.contains(":") ? "[" + host + "]" : host;
                    assertEquals(
                            written, URI.create("http://" + written + ":1/").getHost(), "Java's addresses take it");
                }
            }
        }
        assertTrue(cases > 50);
    }

    @Test
    void aHostThatIsNoneIsSaidInOneLine() {
        String message = assertThrows(IllegalArgumentException.class, () -> Host.check("the host", "a_b.example"))
                .getMessage();
        assertTrue(message.startsWith("the host 'a_b.example' has a character that no host has"), message);
        assertEquals("::1", Host.check("the host", "::1"));
    }

    @Test
    void keysAreThoseOfTheVectors() throws IOException {
        int cases = 0;
        for (JsonNode one : vectors("keys")) {
            String key = text(one);
            if (key != null) {
                cases++;
                assertEquals(
                        one.get("valid").booleanValue(), KeyRule.fault(key, 512).isEmpty(), one.toString());
            }
        }
        assertTrue(cases > 50);
        assertEquals("the key is null", KeyRule.fault(null, 512).orElseThrow());
        assertTrue(KeyRule.fault("aé", 2).orElseThrow().contains("this one has 3"));
    }
}
