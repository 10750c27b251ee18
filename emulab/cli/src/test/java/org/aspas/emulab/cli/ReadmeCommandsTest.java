package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** The commands that README names in its sentences and tables: they exist, and take the words that they are given. */
class ReadmeCommandsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern ASPAS = Pattern.compile("`(?:\\./)?aspas ([^`]+)`");
    private static final Pattern MAVEN = Pattern.compile("`mvn ([^`]+)`");

    private static List<String> named(Pattern pattern) throws IOException {
        String text = ReadmeBlock.readme().replaceAll("(?ms)^```.*?^```$", "");
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void commandsOfTheLauncherAreReadAsTheyStand() throws IOException {
        List<String> commands = named(ASPAS);
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            assertThatCode(() -> read(command)).as(command).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> read("demo --no-such-option")).isInstanceOf(ParameterException.class);
    }

    /** Takes the words apart, and runs nothing. */
    private static void read(String command) {
        StringWriter printed = new StringWriter();
        Aspas.commandLine(new Aspas(), new PrintWriter(printed), new PrintWriter(printed))
                .parseArgs(ReadmeBlock.words(command).toArray(String[]::new));
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
                Pattern.compile("(?s)<profile>(?:\\s|<!--.*?-->)*<id>([^<]+)</id>")
                        .matcher(Files.readString(pom))
                        .results()
                        .forEach(one -> found.add(one.group(1)));
            }
        }
        return found;
    }
}
