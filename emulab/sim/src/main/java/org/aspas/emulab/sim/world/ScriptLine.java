package org.aspas.emulab.sim.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A line of commands, read word by word. A word stands between blanks, is one of {@code , : |}, or is a text in quotation marks; a
 * comment begins with {@code #}. Each mistake names the file, the line and what was expected.
 */
public final class ScriptLine {
    private static final Pattern WORD = Pattern.compile("#.*|\"[^\"]*\"|[,:|]|[^\\s,:|#]+");
    private static final Pattern INDEXED =
            Pattern.compile("([a-z]+)-(?=[si0-9])(?:(seed)(?:\\+|$))?(?:(i)(?:\\+|$))?([0-9]{1,9})?");
    private static final double MICROS = 1e6;
    private static final double MOST_SECONDS = 1e6;

    private record Word(String text, int begins) {}

    private final String file;
    private final int line;
    private final String text;
    private final List<Word> words;
    private int next;

    private ScriptLine(String file, int line, String text, List<Word> words) {
        this.file = file;
        this.line = line;
        this.text = text;
        this.words = words;
    }

    /**
     * The lines of a text but those without a word.
     *
     * @param file its name, for mistakes
     */
    public static List<ScriptLine> lines(String file, String text) {
        List<ScriptLine> lines = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            List<Word> words = WORD.matcher(line)
                    .results()
                    .filter(found -> !found.group().startsWith("#"))
                    .map(found -> new Word(found.group(), found.start()))
                    .toList();
            number++;
            if (!words.isEmpty()) {
                lines.add(new ScriptLine(file, number, line, words));
            }
        }
        return lines;
    }

    /** All words of a text but comments. */
    public static Set<String> all(String text) {
        return lines("", text).stream()
                .flatMap(line -> line.words.stream())
                .map(Word::text)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The same line, from the next word on; reading one of both leaves the other where it is. */
    public ScriptLine copy() {
        ScriptLine copy = new ScriptLine(file, line, text, words);
        copy.next = next;
        return copy;
    }

    /** What is left of the line in pieces, which are parted by commas. */
    public List<ScriptLine> pieces() {
        List<ScriptLine> pieces = new ArrayList<>();
        for (int end = next; end <= words.size(); end++) {
            if (end == words.size() || words.get(end).text().equals(",")) {
                ScriptLine piece = new ScriptLine(file, line, text, words.subList(0, end));
                piece.next = next;
                pieces.add(piece);
                next = Math.min(end + 1, words.size());
            }
        }
        return pieces;
    }

    /** The line with its place. */
    @Override
    public String toString() {
        return file + ":" + line + ": " + text.strip();
    }

    private String peek() {
        return next < words.size() ? words.get(next).text() : "";
    }

    /** Whether there is another word before a comma, a colon, a bar or the end of the line. */
    public boolean more() {
        return !peek().isEmpty() && !",:|".contains(peek());
    }

    /** Takes the next word if it is this one. */
    public boolean takes(String word) {
        boolean is = peek().equals(word);
        next += is ? 1 : 0;
        return is;
    }

    /** Takes the next word, which has to be this one. */
    public void needs(String word) throws MalformedFileException {
        if (!takes(word)) {
            throw mistake("\"" + word + "\"");
        }
    }

    /** The line has to end here. */
    public void end() throws MalformedFileException {
        if (next < words.size()) {
            throw mistake("the end of the line");
        }
    }

    /** The exception for the next word, where something else was expected. */
    public MalformedFileException mistake(String expected) {
        return wrong("expected " + expected + (peek().isEmpty() ? ", but the line ends" : ", but there is " + peek()));
    }

    /** The exception for this line. */
    public MalformedFileException wrong(String what) {
        return new MalformedFileException(file, line, what);
    }

    /** The next word, or what is between its quotation marks. */
    public String word(String what) throws MalformedFileException {
        String word = peek();
        boolean quoted = word.startsWith("\"");
        if (!more() || (quoted && (word.length() == 1 || !word.endsWith("\"")))) {
            throw mistake(what);
        }
        next++;
        return quoted ? word.substring(1, word.length() - 1) : word;
    }

    /** What the next word stands for. */
    public <T> T oneOf(String what, Map<String, T> known) throws MalformedFileException {
        T meant = known.get(peek());
        if (meant == null) {
            throw mistake(what + ", one of " + String.join(", ", new TreeSet<>(known.keySet())));
        }
        next++;
        return meant;
    }

    /** The next word, which has to be one of these. */
    public String oneOf(String what, Set<String> known) throws MalformedFileException {
        return oneOf(what, known.stream().collect(Collectors.toMap(word -> word, word -> word)));
    }

    /** Whether the next word begins with a capital letter. */
    public boolean isUpper() {
        return !peek().isEmpty() && Character.isUpperCase(peek().charAt(0));
    }

    /**
     * Takes the next word if it is one of several parties by its index, such as {@code appserver-2} or {@code appserver-seed+i+1}: the sum
     * modulo how many there are.
     *
     * @param turn what {@code i} stands for
     * @return the index from 0; -1 if it is another word
     */
    public int index(String party, long seed, int turn, int size) {
        Matcher word = INDEXED.matcher(peek());
        if (!word.matches() || !word.group(1).equals(party)) {
            return -1;
        }
        next++;
        long sum = (word.group(2) == null ? 0 : seed) + (word.group(3) == null ? 0 : turn);
        return (int) Math.floorMod(sum + (word.group(4) == null ? 0 : Integer.parseInt(word.group(4))), (long) size);
    }

    /** Whether the next word begins with a digit. */
    public boolean isNumber() {
        return !peek().isEmpty() && Character.isDigit(peek().charAt(0));
    }

    /** A number within bounds. */
    public double number(String what, double low, double high) throws MalformedFileException {
        try {
            double number = isNumber() ? Double.parseDouble(peek()) : Double.NaN;
            if (number >= low && number <= high) {
                next++;
                return number;
            }
        } catch (NumberFormatException none) {
            // It is told below.
        }
        throw mistake(what + ", a number from " + low + " to " + high);
    }

    /** A whole number within bounds. */
    public int whole(String what, int low, int high) throws MalformedFileException {
        double number = number(what, low, high);
        if (number != Math.rint(number)) {
            next--;
            throw mistake(what + ", a whole number");
        }
        return (int) number;
    }

    /** A time in seconds, given in microseconds. */
    public long seconds(String what) throws MalformedFileException {
        return Math.round(number(what + " in seconds", 0, MOST_SECONDS) * MICROS);
    }

    /** All that is left of the line. */
    public String rest() {
        String rest = text.substring(next < words.size() ? words.get(next).begins() : text.length());
        next = words.size();
        return rest.strip();
    }
}
