package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.crdt.value.Printable;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What stands in a line of {@code aspas shell} is what a command gets, and what is printed can be given again. */
class ShellWordsTest {
    private static List<String> words(String line) {
        return ShellWords.split(line).orElseThrow();
    }

    @Test
    void wordsAreQuotedAsInAShell() {
        assertThat(words("set add sh a\\b")).containsExactly("set", "add", "sh", "a\\b");
        assertThat(words("a\\\\b a\\ b \\'x\\\" \\$x")).containsExactly("a\\b", "a b", "'x\"", "$x");
        assertThat(words("  \"c d\"\t'e f' ")).containsExactly("c d", "e f");
        assertThat(words("x \"\" ''")).containsExactly("x", "", "");
        assertThat(words("a'b c'd\"e\"")).containsExactly("ab cde");
        assertThat(words("\"a\\b \\\" \\\\ \\$\"")).containsExactly("a\\b \" \\ $");
        assertThat(words("'a\\n' $'a\\n\\t\\x1b\\u202e\\'\\\\' $x"))
                .containsExactly("a\\n", "a\n\t\u001b\u202e'\\", "$x");
        assertThat(words("end\\")).containsExactly("end\\");
        assertThat(words("")).isEmpty();
        assertThat(words("!x #y @z")).containsExactly("!x", "#y", "@z");
    }

    @Test
    void anOpenQuotationMarkIsNoEnd() {
        for (String open : List.of("'", "a \"b", "$'x", "\"x\\\"", "$'x\\'")) {
            assertThat(ShellWords.split(open)).as(open).isEmpty();
        }
    }

    @Test
    void eachElementOfTheVectorsIsPrintedAsItCanBeGivenAgain() throws Exception {
        JsonNode elements = new ObjectMapper()
                .readTree(Files.readAllBytes(Path.of("../../docs/vectors/texts.json")))
                .get("elements");
        StringBuilder script = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (JsonNode one : elements) {
            if (one.has("text") && one.get("valid").booleanValue()) {
                String text = one.get("text").textValue();
                String printed = ElementArgument.words(Value.of(text));
                assertThat(printed.codePoints()).allMatch(Printable::isHarmless);
                assertThat(words(printed)).containsExactly(text);
                if (text.indexOf('\0') < 0) {
                    script.append("printf '%s\\0' ").append(printed).append('\n');
                    expected.append(text).append('\0');
                }
            }
        }
        assertThat(bash(script.toString())).as("Bash reads it so, too").isEqualTo(expected.toString());
        assertThat(ElementArgument.words(Value.of(7))).isEqualTo("--int=7");
        assertThat(ElementArgument.words(Value.of("7"))).isEqualTo("7");
        assertThat(ElementArgument.words(Value.of("--int=7"))).isEqualTo("--text=--int=7");
        assertThat(ElementArgument.words(Value.of(new byte[] {0x37}))).isEqualTo("--bytes=Nw==");
    }

    private static String bash(String script) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-s");
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process bash = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var in = bash.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        }
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out;
    }
}
