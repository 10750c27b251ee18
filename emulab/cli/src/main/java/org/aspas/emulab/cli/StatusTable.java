package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.crdt.value.Printable;

/** The rows of {@code aspas status} for people: columns as wide as what stands in them, numbers to the right. */
final class StatusTable {
    private static final List<String> HEADER =
            List.of("SERVER", "STATE", "VERSION", "CERTIFICATE", "BEYOND", "WAITS", "REFUSED", "REJECTED");
    private static final List<String> CLIENTS_HEADER =
            List.of("SERVER", "STATE", "SESSIONS", "τ=1", "τ=k", "UNBOUNDED", "UNCONFIRMED p50", "p99", "MOST");
    private static final List<String> LAG_HEADER = List.of(
            "STEPS p50/p99, ms",
            "STATE",
            "BROADCAST",
            "REPORTED",
            "ASKED",
            "ANSWERED",
            "CERTIFIED",
            "CONFIRMED",
            "WHOLE");
    private static final long MICROS_PER_MILLI = 1000;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final int SHORT_MILLIS = 10_000;

    private StatusTable() {}

    /** The lines of the table of servers, the header first, and what servers say is wrong with them last. */
    static List<String> lines(List<StatusRow> rows) {
        return withTroubles(lines(rows, HEADER, 3, StatusTable::figures), rows);
    }

    /** The lines of the table of what servers know of their clients, the header first. */
    static List<String> clients(List<StatusRow> rows) {
        return withTroubles(lines(rows, CLIENTS_HEADER, 2, StatusTable::ofClients), rows);
    }

    /** The lines of the table of how long own entries took from step to step, the header first; none when nobody tells. */
    static List<String> lag(List<StatusRow> rows) {
        List<StatusRow> telling = rows.stream()
                .filter(row -> row.tells() && !row.lagSteps().isEmpty())
                .toList();
        return telling.isEmpty()
                ? List.of()
                : lines(telling, LAG_HEADER, 2, StatusTable::steps).toList();
    }

    private static List<String> steps(StatusRow row) {
        return LagStep.of(Role.APPSERVER).stream()
                .map(step -> row.lagSteps().getOrDefault(step, DurationFigures.NONE))
                .map(step -> rounded(step.p50()) + "/" + rounded(step.p99()))
                .toList();
    }

    private static long rounded(long micros) {
        return Math.round((double) micros / MICROS_PER_MILLI);
    }

    /** Whoever tells nothing has a sentence instead of figures, which does not widen a column. */
    private static Stream<String> lines(
            List<StatusRow> rows, List<String> header, int firstNumber, Function<StatusRow, List<String>> figures) {
        List<List<String>> table = new ArrayList<>();
        table.add(header);
        rows.forEach(row -> table.add(cells(row, figures)));
        return table(table, firstNumber);
    }

    /**
     * The lines of any table, the header first.
     *
     * @param firstNumber from which column on cells stand to the right
     */
    static List<String> table(List<String> header, List<List<String>> rows, int firstNumber) {
        return table(Stream.concat(Stream.of(header), rows.stream()).toList(), firstNumber)
                .toList();
    }

    private static Stream<String> table(List<List<String>> raw, int firstNumber) {
        List<List<String>> table = raw.stream()
                .map(cells -> cells.stream().map(Printable::text).toList())
                .toList();
        int columns = table.get(0).size();
        int[] widths = new int[columns];
        for (List<String> cells : table) {
            int counted = cells.size() == columns ? columns : 2;
            for (int column = 0; column < counted; column++) {
                widths[column] = Math.max(widths[column], cells.get(column).length());
            }
        }
        return table.stream().map(cells -> line(cells, widths, firstNumber));
    }

    /** Lines, and after them what servers say is wrong with them. */
    private static List<String> withTroubles(Stream<String> lines, List<StatusRow> rows) {
        Stream<String> troubles = rows.stream()
                .filter(row -> !row.trouble().isEmpty())
                .map(row -> row.server() + ": " + Printable.text(row.trouble()));
        Stream<String> cuts = rows.stream()
                .filter(row -> row.tailCut() > 0)
                .map(row -> row.server() + ": tail cut: at its start it cut off " + row.tailCut()
                        + " bytes of an interrupted write");
        return Stream.of(lines, troubles, cuts).flatMap(one -> one).toList();
    }

    private static List<String> cells(StatusRow row, Function<StatusRow, List<String>> figures) {
        if (!row.tells()) {
            return List.of(row.server(), row.stateName(), row.silence());
        }
        List<String> cells = new ArrayList<>(List.of(row.server(), row.stateName()));
        cells.addAll(figures.apply(row));
        return cells;
    }

    private static List<String> figures(StatusRow row) {
        return List.of(
                version(row.status().path("version")),
                Long.toString(row.certificate()),
                Long.toString(row.lagEntries()),
                lag(row.lagMillis()),
                Long.toString(row.refused()),
                Long.toString(row.rejectedOnLinks()));
    }

    private static List<String> ofClients(StatusRow row) {
        long sessions = row.gauge("sessions");
        long strict = row.gauge("sessions_tau_1");
        long bounded = row.gauge("sessions_tau_bounded");
        return Stream.of(
                        sessions,
                        strict,
                        bounded,
                        sessions - strict - bounded,
                        row.gauge("unconfirmed_p50"),
                        row.gauge("unconfirmed_p99"),
                        row.gauge("unconfirmed_most"))
                .map(String::valueOf)
                .toList();
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

    private static String line(List<String> cells, int[] widths, int firstNumber) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String space = " ".repeat(Math.max(0, widths[column] - cell.length()));
            line.append(column >= firstNumber ? space + cell : cell + space).append("  ");
        }
        return line.toString().stripTrailing();
    }
}
