package org.aspas.emulab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Sentences of the pages are short: at most 25 words each, and at most 18 on average. Tables, blocks of code and headings are
 * not text. A piece of code, and what stands between two {@code ‖} of a byte layout, is one word or one sentence.
 */
class SentencesTest {
    private static final int MOST_WORDS = 25;
    private static final double MOST_WORDS_ON_AVERAGE = 18;

    /** Beginnings of the paths of pages with longer sentences, and why they may have them. */
    private static final Map<String, String> EXCEPTIONS =
            Map.of("docs/adr/", "decisions are of their time: their text is left as it was written");

    private static final Pattern NOT_TEXT = Pattern.compile("(?m)^(\\||#|<| {4}).*$");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");
    private static final Pattern PARAGRAPH = Pattern.compile("\\n\\s*\\n|\\n\\s*[-*] |\\n\\s*\\d+\\. ");
    private static final Pattern SENTENCE = Pattern.compile("\\s‖\\s|(?<=[.!?:][*)\"]{0,2})\\s+");
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    @Test
    void noSentenceIsLong() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : pages()) {
            for (String sentence : sentences(Files.readString(page))) {
                if (words(sentence) > MOST_WORDS) {
                    found.add(page + ": " + sentence);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void sentencesAreShorterOnAverage() throws IOException {
        List<Integer> all = new ArrayList<>();
        for (Path page : pages()) {
            List<Integer> lengths = sentences(Files.readString(page)).stream()
                    .map(SentencesTest::words)
                    .toList();
            assertThat(average(lengths)).as("%s", page).isBetween(3.0, MOST_WORDS_ON_AVERAGE);
            all.addAll(lengths);
        }
        assertThat(all).hasSizeGreaterThan(3000);
        assertThat(average(all)).isBetween(8.0, MOST_WORDS_ON_AVERAGE);
    }

    @Test
    void wordsAreCountedAsTheyAreRead() {
        List<String> found = sentences("# No text\nOne `a b c` two [three four](five.md). \"Six.\" (Seven - eight!)\n"
                + "nine ‖ ten\n- eleven: twelve\n| no | text |\n```\nno text.\n```\n");
        assertThat(found).extracting(SentencesTest::words).containsExactly(5, 1, 2, 1, 1, 1, 1);
    }

    /** Nobody excuses pages that need no excuse. */
    @Test
    void everyExceptionIsNeeded() throws IOException {
        List<Path> all = Pages.all();
        for (String start : EXCEPTIONS.keySet()) {
            boolean needed = false;
            for (Path page : all) {
                needed |= Pages.nameOf(page).startsWith(start)
                        && sentences(Files.readString(page)).stream().anyMatch(one -> words(one) > MOST_WORDS);
            }
            assertThat(needed).as(start).isTrue();
        }
    }

    private static double average(List<Integer> lengths) {
        return lengths.stream().mapToInt(length -> length).average().orElse(0);
    }

    private static int words(String sentence) {
        return (int)
                WORD.matcher(sentence.replaceAll("`[^`]+`", "code")).results().count();
    }

    private static List<String> sentences(String page) {
        String text = LINK.matcher(NOT_TEXT.matcher(page.replaceAll("(?s)```.*?```", "\n\n"))
                        .replaceAll(""))
                .replaceAll("$1");
        return PARAGRAPH
                .splitAsStream(text)
                .flatMap(paragraph -> SENTENCE.splitAsStream(paragraph.replace('\n', ' ')))
                .map(String::strip)
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    private static List<Path> pages() throws IOException {
        return Pages.all().stream()
                .filter(page -> EXCEPTIONS.keySet().stream()
                        .noneMatch(start -> Pages.nameOf(page).startsWith(start)))
                .toList();
    }
}
