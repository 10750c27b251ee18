package org.aspas.emulab.experiments.page;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.aspas.emulab.experiments.result.MeasuredStep;

/** Every step with its figures: as a table of the page, and all of them as CSV. */
final class StepsTable {
    private static final List<String> FIGURES = List.of(
            "operations_per_second",
            "update_p50_ms",
            "update_p99_ms",
            "read_p50_ms",
            "lag_p50_ms",
            "lag_p99_ms",
            "cpu_ms_per_operation",
            "little_ratio",
            "load_before");
    private static final List<String> COLUMNS = List.of(
            "Step",
            "Operations/s",
            "Update p50, ms",
            "p99, ms",
            "Read p50, ms",
            "Lag p50, ms",
            "p99, ms",
            "CPU ms/operation",
            "Little N/(X·R)",
            "Load before",
            "State");

    private StepsTable() {}

    static String html(List<MeasuredStep> steps) {
        HtmlTable table = new HtmlTable("", COLUMNS);
        for (MeasuredStep step : steps) {
            List<String> cells = new ArrayList<>(List.of(step.step().id()));
            for (String figure : FIGURES) {
                Double value = step.figures().get(figure);
                cells.add(value == null ? "–" : PlotAxis.shown(value));
            }
            cells.add(state(step));
            table.row(step.valid() ? "" : "invalid", cells);
        }
        return "<section id=\"steps\">\n<h2>Every step</h2>\n" + table.html() + "</section>\n";
    }

    private static String state(MeasuredStep step) {
        if (!step.valid()) {
            return "invalid: " + String.join("; ", step.invalid());
        }
        return step.problems().isEmpty() ? "clean" : String.join("; ", step.problems());
    }

    /** What was invalid or went wrong, before all plots; empty when nothing did. */
    static String warnings(List<MeasuredStep> steps) {
        long invalid = steps.stream().filter(step -> !step.valid()).count();
        long unclean = steps.stream().filter(step -> !step.problems().isEmpty()).count();
        StringBuilder html = new StringBuilder();
        if (invalid > 0) {
            html.append("<p class=\"warning\">")
                    .append(invalid)
                    .append(" of ")
                    .append(steps.size())
                    .append(" steps are invalid: they draw nothing and are compared with nothing. ")
                    .append("<a href=\"#steps\">The table of steps</a> says why.</p>\n");
        }
        if (unclean > 0) {
            html.append("<p class=\"warning\">Something went wrong in ")
                    .append(unclean)
                    .append(" of ")
                    .append(steps.size())
                    .append(" steps: <a href=\"#steps\">the table of steps</a> says what.</p>\n");
        }
        return html.toString();
    }

    static String csv(List<MeasuredStep> steps) {
        SortedSet<String> names = new TreeSet<>();
        steps.forEach(step -> names.addAll(step.figures().keySet()));
        List<Object> header = new ArrayList<>(List.of(
                "step",
                "part",
                "on",
                "system",
                "world",
                "workload",
                "clients",
                "repetition",
                "seed",
                "valid",
                "clean"));
        header.addAll(names);
        StringBuilder csv = new StringBuilder(CsvFile.line(header.toArray()));
        for (MeasuredStep step : steps) {
            List<Object> cells = new ArrayList<>(List.of(
                    step.step().id(),
                    step.step().part(),
                    step.step().substrate().label(),
                    step.step().system(),
                    step.step().world(),
                    step.step().workload(),
                    step.step().clients(),
                    step.step().repetition(),
                    step.step().seed(),
                    step.valid(),
                    step.problems().isEmpty()));
            for (String name : names) {
                Double value = step.figures().get(name);
                cells.add(value == null ? "" : value);
            }
            csv.append(CsvFile.line(cells.toArray()));
        }
        return csv.toString();
    }
}
