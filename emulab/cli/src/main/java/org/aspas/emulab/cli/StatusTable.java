package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The rows of {@code aspas status} for people: columns as wide as what stands in them, numbers to the right. */
final class StatusTable {
    private static final List<String> HEADER =
            List.of("SERVER", "STATE", "VERSION", "CERTIFICATE", "BEYOND", "LAG", "REFUSED", "REJECTED");
    private static final int FIRST_NUMBER = 3;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final int SHORT_MILLIS = 10_000;

    private StatusTable() {}

    /** The table's lines, the header first. */
    static List<String> lines(List<StatusRow> rows) {
        List<List<String>> table = new ArrayList<>();
        table.add(HEADER);
        rows.forEach(row -> table.add(cells(row)));
        int[] widths = new int[HEADER.size()];
        for (List<String> cells : table) {
            for (int column = 0; column < cells.size() && cells.size() == HEADER.size(); column++) {
                widths[column] = Math.max(widths[column], cells.get(column).length());
            }
        }
        widths[0] = Math.max(
                widths[0],
                rows.stream().mapToInt(row -> row.server().length()).max().orElse(0));
        widths[1] = Math.max(
                widths[1],
                rows.stream().mapToInt(row -> row.stateName().length()).max().orElse(0));
        return table.stream().map(cells -> line(cells, widths)).toList();
    }

    private static List<String> cells(StatusRow row) {
        if (!row.tells()) {
            String why = row.state() == StatusRow.State.OTHER
                    ? "what answers at " + row.address() + " is not this deployment's " + row.server()
                    : "no answer from " + row.address();
            return List.of(row.server(), row.stateName(), why);
        }
        return List.of(
                row.server(),
                row.stateName(),
                version(row.status().path("version")),
                Long.toString(row.certificate()),
                Long.toString(row.lagEntries()),
                lag(row.lagMillis()),
                Long.toString(row.refused()),
                Long.toString(row.rejectedOnLinks()));
    }

    private static String version(JsonNode version) {
        return StreamSupport.stream(version.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(" "));
    }

    private static String lag(long millis) {
        return millis < SHORT_MILLIS
                ? millis + " ms"
                : String.format(Locale.ROOT, "%.1f s", (double) millis / MILLIS_PER_SECOND);
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String space = " ".repeat(Math.max(0, widths[column] - cell.length()));
            line.append(column >= FIRST_NUMBER ? space + cell : cell + space).append("  ");
        }
        return line.toString().stripTrailing();
    }
}
