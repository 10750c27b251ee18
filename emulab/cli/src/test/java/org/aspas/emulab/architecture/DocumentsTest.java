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
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Kind;
import org.junit.jupiter.api.Test;

/** What can be checked of the pages: links, names of classes, and tables that have to be whole. */
class DocumentsTest {
    private static final Pattern CODE = Pattern.compile("`([A-Za-z][\\w.]*)(?:\\([^`]*\\))?`");
    private static final Pattern CLASS = Pattern.compile("[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+");
    private static final Pattern DECLARATION = Pattern.compile("(?:class|interface|record|enum) +([A-Z]\\w+)");

    /** Classes of the JDK and of libraries. */
    private static final Set<String> OF_OTHERS = Set.of("IllegalStateException", "SslHandler", "ThreadCPULoad");

    /** Deviations that only the simulator's runs meet. */
    private static final Set<String> WITHOUT_A_TEST = Set.of("D24", "D27", "D33", "D37");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : Pages.all()) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group(1))
                    .filter(target -> !target.contains("://"))
                    .filter(target -> !Files.exists(page.resolveSibling(target)))
                    .forEach(target -> broken.add(page + " to " + target));
        }
        assertThat(broken).isEmpty();
    }

    /** Each is numbered, in order, and names a test. {@link #everyClassThatAPageNamesExists} says that the test is there. */
    @Test
    void everyDeviationNamesATest() throws IOException {
        List<String> rows = Files.readAllLines(Pages.ROOT.resolve("docs/deviations.md")).stream()
                .filter(line -> line.matches("\\| D\\d+ .*"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(40);
        for (int row = 0; row < rows.size(); row++) {
            String[] cells = rows.get(row).split(" \\| ", -1);
            String number = "D" + (row + 1);
            assertThat(cells).as(number).hasSize(5);
            assertThat(cells[0]).isEqualTo("| " + number);
            if (WITHOUT_A_TEST.contains(number)) {
                assertThat(cells[4]).as(number).isEqualTo("none of its own |");
            } else {
                assertThat(cells[4]).as(number).matches("`\\w+Test`(, `\\w+Test`)* \\|");
            }
        }
    }

    @Test
    void theTableOfMessagesHasEveryKind() throws IOException {
        String table = Files.readString(Pages.ROOT.resolve("docs/messages.md"));
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
        try (Stream<Path> files = Files.walk(Pages.ROOT)) {
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

    /** Those of Java's side: in the list of changes lines are as long as a change needs, and clients have languages of their own. */
    private static List<Path> pages() throws IOException {
        return Pages.all().stream()
                .filter(page -> Pages.nameOf(page).matches("docs/.*|README\\.md|CONTRIBUTING\\.md"))
                .toList();
    }
}
