package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands that README names in its sentences and tables: they exist, with the options that they are given. */
class ReadmeCommandsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern ASPAS = Pattern.compile("`(?:\\./)?aspas ([^`]+)`");
    private static final Pattern MAVEN = Pattern.compile("`mvn ([^`]+)`");

    private static List<String> named(Pattern pattern) throws IOException {
        String text = ReadmeBlock.readme().replaceAll("(?ms)^```.*?^```$", "");
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void commandsOfTheLauncherTakeTheirOptions() throws IOException {
        List<String> commands = named(ASPAS);
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            List<String> words = new ArrayList<>(ReadmeBlock.words(command));
            words.add("--help");
            CommandRun run = CommandRun.of(words.toArray(String[]::new));
            assertThat(run.exit()).as("%s%n%s", command, run.errors()).isZero();
            assertThat(run.errors()).as(command).isEmpty();
            assertThat(run.out()).contains("Usage: aspas " + words.get(0));
        }
        assertThat(CommandRun.of("demo", "--no-such-option", "--help").exit()).isNotZero();
    }

    @Test
    void profilesAndModulesOfMavenExist() throws IOException {
        List<String> commands = named(MAVEN);
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            List<String> words = ReadmeBlock.words(command);
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                if (word.equals("-pl")) {
                    assertThat(ROOT.resolve(words.get(i + 1)).resolve("pom.xml"))
                            .as(command)
                            .exists();
                } else if (word.startsWith("-P")) {
                    assertThat(profiles()).as(command).contains(word.substring(2));
                }
            }
        }
    }

    private static List<String> profiles() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> poms = Files.find(ROOT, 4, (path, file) -> path.endsWith("pom.xml"))) {
            for (Path pom : poms.toList()) {
                Pattern.compile("<profile>\\s*<id>([^<]+)</id>")
                        .matcher(Files.readString(pom))
                        .results()
                        .forEach(one -> found.add(one.group(1)));
            }
        }
        return found;
    }
}
