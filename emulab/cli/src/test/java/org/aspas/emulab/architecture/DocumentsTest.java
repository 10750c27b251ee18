package org.aspas.emulab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Kind;
import org.junit.jupiter.api.Test;

/** What can be checked of the pages: their links, the length of their lines, and that the table of messages has all of them. */
class DocumentsTest {
    private static final Path ROOT = Path.of("../..");
    private static final int LONGEST_LINE = 160;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group(1))
                    .filter(target -> !target.contains("://"))
                    .filter(target -> !Files.exists(page.resolveSibling(target)))
                    .forEach(target -> broken.add(page + " to " + target));
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void linesOfTextAreNotLong() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : pages()) {
            boolean code = false;
            for (String line : Files.readAllLines(page)) {
                code ^= line.startsWith("```");
                if (!code && isText(line) && line.length() > LONGEST_LINE) {
                    found.add(page + ": " + line);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void theTableOfMessagesHasEveryKind() throws IOException {
        String table = Files.readString(ROOT.resolve("docs/messages.md"));
        assertThat(Stream.of(Kind.values()).filter(kind -> !Evidence.class.isAssignableFrom(kind.type())))
                .allSatisfy(kind -> assertThat(table).contains("`" + kind + "`"));
    }

    @Test
    void thereAreManyPages() throws IOException {
        assertThat(pages()).hasSizeGreaterThan(40);
    }

    /** Tables, headings and pictures cannot be broken. */
    private static boolean isText(String line) {
        return Set.of("|", "#", "<").stream().noneMatch(line.strip()::startsWith);
    }

    private static List<Path> pages() throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(all::add);
        }
        for (String name : List.of("README.md", "CONTRIBUTING.md")) {
            all.add(ROOT.resolve(name));
        }
        return all;
    }
}
