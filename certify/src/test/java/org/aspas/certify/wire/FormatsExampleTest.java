package org.aspas.certify.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Ed25519SelfTest;
import org.aspas.certify.vectors.WorkedExample;
import org.junit.jupiter.api.Test;

/** The worked example of docs/formats.md is what the code makes. */
class FormatsExampleTest {
    private static final Pattern LINE = Pattern.compile("(?m)^([a-z][a-z0-9 ]*[a-z0-9]) = ([0-9a-f]+)$");

    @Test
    void thePageShowsWhatTheCodeMakes() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "formats.md"));
        String worked = page.substring(page.indexOf("## 12. Worked example"));
        assertTrue(worked.contains("\n```\n" + Ed25519SelfTest.table() + "```\n"), "the vectors of the self-test");
        Map<String, String> shown = new LinkedHashMap<>();
        Matcher matcher = LINE.matcher(worked);
        while (matcher.find()) {
            shown.put(matcher.group(1), matcher.group(2));
        }
        StringBuilder expected = new StringBuilder();
        WorkedExample.lines()
                .forEach((name, value) ->
                        expected.append(name).append(" = ").append(value).append('\n'));
        StringBuilder actual = new StringBuilder();
        shown.forEach(
                (name, value) -> actual.append(name).append(" = ").append(value).append('\n'));
        assertEquals(expected.toString(), actual.toString());
    }

    /** The page names every kind with its number. */
    @Test
    void thePageNamesEveryKind() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "formats.md"));
        for (var kind : Kind.values()) {
            String row = "| " + kind.number() + " | " + kind.type().getSimpleName() + " |";
            assertTrue(page.contains(row), row);
        }
    }
}
