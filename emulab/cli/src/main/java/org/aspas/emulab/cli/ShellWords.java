package org.aspas.emulab.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits a line of {@code aspas shell} into words, as POSIX shells do where they agree: words end at spaces and tabs; {@code '...'}
 * takes everything as it is; in {@code "..."} a backslash escapes {@code " \ $ `}; {@code $'...'} knows the escapes of C. Outside of
 * quotation marks a backslash escapes a space, a tab, a quotation mark, {@code $} and itself, and before anything else stands for itself, so that
 * {@code a\b} is what it looks like. An empty pair of quotation marks is an empty word.
 */
final class ShellWords {
    private static final String ESCAPED_BARE = " \t'\"\\$";
    private static final String ESCAPED_IN_DOUBLE = "\"\\$`";

    private final String line;
    private int at;

    private ShellWords(String line) {
        this.line = line;
    }

    /** The words; empty when a quotation mark is not closed. */
    static Optional<List<String>> split(String line) {
        return new ShellWords(line).all();
    }

    private Optional<List<String>> all() {
        List<String> words = new ArrayList<>();
        while (true) {
            while (at < line.length() && isSpace(line.charAt(at))) {
                at++;
            }
            if (at == line.length()) {
                return Optional.of(words);
            }
            StringBuilder word = new StringBuilder();
            while (at < line.length() && !isSpace(line.charAt(at))) {
                if (!part(word)) {
                    return Optional.empty();
                }
            }
            words.add(word.toString());
        }
    }

    private static boolean isSpace(char character) {
        return character == ' ' || character == '\t';
    }

    /** One character, or all between quotation marks; false when they are not closed. */
    private boolean part(StringBuilder word) {
        char first = line.charAt(at++);
        if (first == '\'') {
            int end = line.indexOf('\'', at);
            if (end < 0) {
                return false;
            }
            word.append(line, at, end);
            at = end + 1;
            return true;
        }
        if (first == '"') {
            return inDouble(word);
        }
        if (first == '$' && at < line.length() && line.charAt(at) == '\'') {
            at++;
            return inC(word);
        }
        boolean escapes = first == '\\' && at < line.length() && ESCAPED_BARE.indexOf(line.charAt(at)) >= 0;
        word.append(escapes ? line.charAt(at++) : first);
        return true;
    }

    private boolean inDouble(StringBuilder word) {
        while (at < line.length()) {
            char next = line.charAt(at++);
            if (next == '"') {
                return true;
            }
            boolean escapes = next == '\\' && at < line.length() && ESCAPED_IN_DOUBLE.indexOf(line.charAt(at)) >= 0;
            word.append(escapes ? line.charAt(at++) : next);
        }
        return false;
    }

    private boolean inC(StringBuilder word) {
        while (at < line.length()) {
            char next = line.charAt(at++);
            if (next == '\'') {
                return true;
            }
            if (next != '\\' || at == line.length()) {
                word.append(next);
            } else {
                escape(word, line.charAt(at++));
            }
        }
        return false;
    }

    private void escape(StringBuilder word, char kind) {
        switch (kind) {
            case 'n' -> word.append('\n');
            case 'r' -> word.append('\r');
            case 't' -> word.append('\t');
            case 'a' -> word.append('\u0007');
            case 'b' -> word.append('\b');
            case 'f' -> word.append('\f');
            case 'v' -> word.append('\u000b');
            case 'e', 'E' -> word.append('\u001b');
            case 'x' -> code(word, kind, 2);
            case 'u' -> code(word, kind, 4);
            case 'U' -> code(word, kind, 8);
            case '\\', '\'', '"', '?' -> word.append(kind);
            default -> word.append('\\').append(kind);
        }
    }

    /** A character by up to so many hexadecimal digits of its number. */
    private void code(StringBuilder word, char kind, int most) {
        int end = at;
        while (end < line.length() && end < at + most && Character.digit(line.charAt(end), 16) >= 0) {
            end++;
        }
        long codePoint = end == at ? -1 : Long.parseLong(line.substring(at, end), 16);
        if (codePoint < 0 || codePoint > Character.MAX_CODE_POINT) {
            word.append('\\').append(kind);
            return;
        }
        word.appendCodePoint((int) codePoint);
        at = end;
    }
}
