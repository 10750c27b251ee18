package org.aspas.emulab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
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
    private static final int MOST_WORDS = 25;
    private static final double MOST_WORDS_ON_AVERAGE = 18;
    private static final Pattern CODE = Pattern.compile("`([A-Za-z][\\w.]*)(?:\\([^`]*\\))?`");
    private static final Pattern CLASS = Pattern.compile("[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+");
    private static final Pattern DECLARATION = Pattern.compile("(?:class|interface|record|enum) +([A-Z]\\w+)");

    /** Classes of the JDK and of libraries. */
    private static final Set<String> OF_OTHERS = Set.of("IllegalStateException", "SslHandler", "ThreadCPULoad");

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

    /** What a newcomer reads first. Other pages have some longer sentences. */
    @Test
    void sentencesOfTheFirstPagesAreShort() throws IOException {
        for (String name : List.of("README.md", "docs/architecture.md", "docs/http.md", "docs/operations.md")) {
            List<Integer> lengths = new ArrayList<>();
            for (String sentence : sentences(Files.readString(ROOT.resolve(name)))) {
                int words = sentence.split("\\s+").length;
                assertThat(words).as("%s: %s", name, sentence).isLessThanOrEqualTo(MOST_WORDS);
                lengths.add(words);
            }
            assertThat(lengths.stream().mapToInt(length -> length).average().orElse(0))
                    .as(name)
                    .isBetween(3.0, MOST_WORDS_ON_AVERAGE);
        }
    }

    private static List<String> sentences(String page) {
        String text = page.replaceAll("(?s)```.*?```", "\n\n")
                .replaceAll("(?m)^(\\||#|<| {4}).*$", "")
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1");
        return Stream.of(text.split("\\n\\s*\\n|\\n\\s*[-*] |\\n\\s*\\d+\\. "))
                .flatMap(paragraph -> Stream.of(paragraph.replace('\n', ' ').split("(?<=[.!?:]|[.!?:]\\*\\*)\\s+")))
                .map(String::strip)
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    @Test
    void theTableOfMessagesHasEveryKind() throws IOException {
        String table = Files.readString(ROOT.resolve("docs/messages.md"));
        assertThat(Stream.of(Kind.values()).filter(kind -> !Evidence.class.isAssignableFrom(kind.type())))
                .allSatisfy(kind -> assertThat(table).contains("`" + kind + "`"));
    }

    /** Decisions are of their time, and tell of classes that may be gone. */
    @Test
    void everyClassThatAPageNamesExists() throws IOException {
        Set<String> known = classes();
        List<String> unknown = new ArrayList<>();
        for (Path page : pages()) {
            if (!page.toString().contains("/adr/")) {
                CODE.matcher(Files.readString(page).replaceAll("(?s)```.*?```", ""))
                        .results()
                        .flatMap(found -> Stream.of(found.group(1).split("\\.")))
                        .filter(CLASS.asMatchPredicate())
                        .filter(name -> !known.contains(name) && !OF_OTHERS.contains(name))
                        .forEach(name -> unknown.add(page + ": " + name));
            }
        }
        assertThat(known).hasSizeGreaterThan(1000);
        assertThat(unknown).isEmpty();
    }

    /** Every class of the tree, nested ones too. */
    private static Set<String> classes() throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(file ->
                            file.toString().contains("/src/") && file.toString().endsWith(".java"))
                    .toList()) {
                DECLARATION
                        .matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1))
                        .forEach(names::add);
            }
        }
        return names;
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
