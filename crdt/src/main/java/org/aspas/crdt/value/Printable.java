package org.aspas.crdt.value;

import java.util.Locale;

/**
 * Texts of others, such as keys, elements and what a server says, as people may see them. A terminal takes some characters as commands:
 * what is here escapes them as {@code \n} or {@code \}{@code u001b}, so that nothing that somebody wrote moves the cursor, makes a line of
 * its own, changes colours or turns the direction of writing. These are the control characters (C0, DEL, C1), separators of lines and
 * paragraphs, marks of direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and unpaired surrogates.
 */
public final class Printable {
    private Printable() {}

    /** A text on one line, with every character escaped that a terminal would take as a command. A backslash stays as it is. */
    public static String text(String text) {
        return escaped(text, true);
    }

    /**
     * As {@link #text}, but line feeds and tabs stay: for what may have several lines. In a JSON text this leaves the meaning as it is, for
     * JSON has the other characters in strings only, and takes these escapes there.
     */
    public static String lines(String text) {
        return escaped(text, false);
    }

    /**
     * A text as one word of a POSIX shell: as it is where the shell would leave it alone, else in quotation marks, which are those of
     * {@code $'...'} where a character has to be escaped. Whoever pastes the word gives the same text again.
     */
    public static String word(String text) {
        if (!text.isEmpty() && text.codePoints().allMatch(Printable::isPlain)) {
            return text;
        }
        if (isHarmless(text) && text.indexOf('\'') < 0) {
            return "'" + text + "'";
        }
        return "$'" + text(text.replace("\\", "\\\\").replace("'", "\\'")) + "'";
    }

    /** Whether a terminal shows the character and does nothing else: no control or bidirectional character. */
    public static boolean isHarmless(int codePoint) {
        return !(Character.isISOControl(codePoint)
                || codePoint == 0x061c
                || codePoint >= 0x200e && codePoint <= 0x200f
                || codePoint >= 0x2028 && codePoint <= 0x202e
                || codePoint >= 0x2066 && codePoint <= 0x2069
                || codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }

    private static boolean isHarmless(String text) {
        return text.codePoints().allMatch(Printable::isHarmless);
    }

    private static boolean isPlain(int codePoint) {
        return Character.isLetterOrDigit(codePoint) || "_./:@%+,=-".indexOf(codePoint) >= 0;
    }

    private static String escaped(String text, boolean oneLine) {
        if (isHarmless(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(codePoint -> {
            if (isHarmless(codePoint) || !oneLine && (codePoint == '\n' || codePoint == '\t')) {
                out.appendCodePoint(codePoint);
            } else {
                out.append(
                        switch (codePoint) {
                            case '\n' -> "\\n";
                            case '\r' -> "\\r";
                            case '\t' -> "\\t";
                            default -> String.format(Locale.ROOT, "\\u%04x", codePoint);
                        });
            }
        });
        return out.toString();
    }
}
