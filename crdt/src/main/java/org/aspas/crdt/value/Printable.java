package org.aspas.crdt.value;

import java.util.Locale;

/**
 * Makes texts from others, such as keys, elements and servers' messages, safe to show to people. A terminal interprets some characters
 * as commands. The methods escape these as {@code \n} or {@code \}{@code u001b}, so that no text can move the cursor, forge a line,
 * change colours or reverse the direction of writing. The characters are the controls (C0, DEL, C1), the separators of lines and
 * paragraphs, the marks of direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and unpaired surrogates. Thread-safe.
 */
public final class Printable {
    private Printable() {}

    /** Returns the text on one line, with every character escaped that a terminal would interpret. Backslashes stay as they are. */
    public static String text(String text) {
        return escaped(text, true);
    }

    /**
     * Escapes like {@link #text}, but keeps line feeds and tabs, for texts of several lines. A JSON text keeps its meaning, because JSON
     * allows the other characters only in strings, where these escapes are valid.
     */
    public static String lines(String text) {
        return escaped(text, false);
    }

    /**
     * Returns the text as one word for a POSIX shell, so that pasting the word gives the same text again. The text stays as it is where the
     * shell would not change it; otherwise it is quoted, with {@code $'...'} if a character has to be escaped.
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

    /** Returns whether a terminal only shows the character: it is neither a control nor a mark of direction. */
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
