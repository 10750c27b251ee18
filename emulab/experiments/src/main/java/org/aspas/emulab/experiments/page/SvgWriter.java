package org.aspas.emulab.experiments.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Writes one SVG picture, an element a line. Texts are escaped; numbers have at most two decimals. */
final class SvgWriter {
    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins an element; attributes are names and values in turns. */
    SvgWriter begin(String element, Object... attributes) {
        tag(element, attributes).append(">\n");
        open.push(element);
        return this;
    }

    SvgWriter end() {
        String element = open.pop();
        indent().append("</").append(element).append(">\n");
        return this;
    }

    SvgWriter empty(String element, Object... attributes) {
        tag(element, attributes).append("/>\n");
        return this;
    }

    SvgWriter text(String element, String content, Object... attributes) {
        tag(element, attributes)
                .append('>')
                .append(escaped(content))
                .append("</")
                .append(element)
                .append(">\n");
        return this;
    }

    /** The picture, once every element has ended. */
    String svg() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not ended: " + open);
        }
        return out.toString();
    }

    private StringBuilder tag(String element, Object... attributes) {
        indent().append('<').append(element);
        for (int i = 0; i + 1 < attributes.length; i += 2) {
            Object value = attributes[i + 1];
            String text = value instanceof Number number ? number(number.doubleValue()) : String.valueOf(value);
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escaped(text))
                    .append('"');
        }
        return out;
    }

    private StringBuilder indent() {
        return out.append("  ".repeat(open.size()));
    }

    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        String stripped = text.replaceAll("0+$", "").replaceAll("\\.$", "");
        return stripped.equals("-0") ? "0" : stripped;
    }

    /** A text as it may stand in HTML and SVG, in attributes too. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
