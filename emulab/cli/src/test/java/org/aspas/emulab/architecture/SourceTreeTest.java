package org.aspas.emulab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for the source of all modules: one name one class in each module, and a true glossary. */
class SourceTreeTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** A class between backticks, with packages before and a method behind it or without. */
    private static final Pattern NAMED_CLASS = Pattern.compile("`([a-z.]*[A-Z]\\w+)(\\.[a-z]\\w*)?`");

    /** Each core has an {@code Event} and an {@code Effect} of its own. */
    private static final Set<String> MANY = Set.of("package-info.java", "Event.java", "Effect.java");

    @Test
    void everySimpleNameStandsForOneClassOfItsModule() throws IOException {
        Map<String, Long> files = sources().stream()
                .filter(file -> !MANY.contains(file.getFileName().toString()))
                .map(file -> ROOT.relativize(file).toString().replaceFirst("/src/main/.*/", "/"))
                .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        assertThat(files)
                .isNotEmpty()
                .allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
    }

    @Test
    void theGlossaryAndTheToursNameClassesThatExist() throws IOException {
        Set<String> known = sources().stream()
                .map(file -> "." + file.toString().replace(".java", "").replace('/', '.'))
                .collect(Collectors.toSet());
        for (String page : List.of("docs/glossary.md", "docs/tours.md")) {
            List<String> named = NAMED_CLASS
                    .matcher(Files.readString(ROOT.resolve(page)))
                    .results()
                    .map(found -> "." + found.group(1))
                    .toList();
            assertThat(named).hasSizeGreaterThan(40);
            assertThat(named.stream().filter(name -> known.stream().noneMatch(file -> file.endsWith(name))))
                    .as(page)
                    .isEmpty();
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("src/main/java")
                            && file.toString().endsWith(".java"))
                    .toList();
        }
    }
}
