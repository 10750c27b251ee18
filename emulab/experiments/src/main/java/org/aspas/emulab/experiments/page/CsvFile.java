package org.aspas.emulab.experiments.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of comma-separated values (RFC 4180), ended by a line feed. */
final class CsvFile {
    private CsvFile() {}

    /** A line of these values; numbers are written in full. */
    static String line(Object... values) {
        List<String> cells = new ArrayList<>();
        for (Object value : values) {
            cells.add(value instanceof Double number ? number(number) : quoted(String.valueOf(value)));
        }
        return String.join(",", cells) + "\n";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%d", (long) value)
                : Double.toString(value);
    }

    private static String quoted(String text) {
        return text.matches("[^,\"\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** The values of a line, without their quotes. */
    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (next == '"') {
                quoted = !quoted;
            } else if (next == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(next);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
