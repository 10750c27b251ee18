package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A fenced block of README.
 *
 * @param language what stands after the fence, such as {@code sh}; empty if nothing does
 * @param text its lines
 */
record ReadmeBlock(String language, String text) {
    private static final Path README = Path.of("../../README.md");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)$\\n(.*?)^```$");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    static String readme() throws IOException {
        return Files.readString(README);
    }

    /** All of them, in their order. */
    static List<ReadmeBlock> all() throws IOException {
        return FENCED.matcher(readme())
                .results()
                .map(found -> new ReadmeBlock(found.group(1), found.group(2)))
                .toList();
    }

    /** The commands of a block of the shell, without comments. */
    List<String> commands() {
        return text.lines()
                .map(line -> line.replaceFirst("\\s+# .*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** The words of a command, as a shell splits them. */
    static List<String> words(String command) {
        return WORD.matcher(command)
                .results()
                .map(found -> found.group(1) != null
                        ? found.group(1)
                        : found.group(2) != null ? found.group(2) : found.group(3))
                .toList();
    }
}
