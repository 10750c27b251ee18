package org.aspas.emulab.experiments.page;

import java.util.List;

/**
 * The repetitions of each point side by side: a row for a point, a bar from its lowest repetition to its highest, a line at
 * the median and a dot for each.
 *
 * @param id its name in the page and of its CSV file
 * @param rows the first on top
 */
record SpreadPlot(String id, String title, PlotAxis axis, List<Row> rows) {
    private static final int WIDTH = 640;
    private static final int LEFT = 170;
    private static final int RIGHT = 26;
    private static final int ROW = 22;
    private static final int BOTTOM = 44;

    SpreadPlot {
        rows = List.copyOf(rows);
    }

    /**
     * The repetitions of a point.
     *
     * @param series the number of the series whose colour and mark it has
     * @param values of the repetitions, at least one
     */
    record Row(String name, int series, List<Double> values, double median) {
        Row {
            values = List.copyOf(values);
        }

        double low() {
            return values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        }

        double high() {
            return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }
    }

    String svg() {
        int bottom = 8 + rows.size() * ROW;
        SvgWriter svg = new SvgWriter();
        svg.begin(
                "svg",
                "class",
                "plot",
                "viewBox",
                "0 0 " + WIDTH + " " + (bottom + BOTTOM),
                "tabindex",
                0,
                "role",
                "img",
                "aria-label",
                title + ": " + axis.label());
        svg.begin("g", "class", "grid");
        for (double tick : axis.ticks()) {
            double at = across(tick);
            svg.empty("line", "x1", at, "x2", at, "y1", 4, "y2", bottom);
            svg.text("text", PlotAxis.shown(tick), "x", at, "y", bottom + 15, "text-anchor", "middle");
        }
        svg.text(
                "text",
                axis.label(),
                "class",
                "axis",
                "x",
                (LEFT + WIDTH - RIGHT) / 2.0,
                "y",
                bottom + 36,
                "text-anchor",
                "middle");
        svg.end();
        for (int row = 0; row < rows.size(); row++) {
            row(svg, rows.get(row), 8 + row * ROW + ROW / 2.0);
        }
        return svg.end().svg();
    }

    private void row(SvgWriter svg, Row row, double y) {
        String about = row.name() + ": median " + PlotAxis.shown(row.median()) + ", from " + PlotAxis.shown(row.low())
                + " to " + PlotAxis.shown(row.high()) + ", " + row.values().size() + " repetitions";
        svg.begin("g", "class", "series point s" + row.series() % SeriesMark.COUNT);
        svg.text("title", about);
        svg.text("text", row.name(), "x", LEFT - 8, "y", y + 4, "text-anchor", "end");
        double from = across(row.low());
        svg.empty(
                "rect",
                "class",
                "bar",
                "x",
                from,
                "y",
                y - 6,
                "width",
                Math.max(1, across(row.high()) - from),
                "height",
                12,
                "rx",
                2);
        for (double value : row.values()) {
            svg.empty("circle", "class", "mark", "cx", across(value), "cy", y, "r", 3);
        }
        double middle = across(row.median());
        svg.empty("line", "class", "median", "x1", middle, "x2", middle, "y1", y - 8, "y2", y + 8);
        svg.end();
    }

    private double across(double value) {
        return LEFT + axis.place(value) * (WIDTH - LEFT - RIGHT);
    }

    String csv() {
        StringBuilder csv = new StringBuilder("point,repetition,value\n");
        for (Row row : rows) {
            for (int repetition = 0; repetition < row.values().size(); repetition++) {
                csv.append(CsvFile.line(row.name(), repetition + 1, row.values().get(repetition)));
            }
        }
        return csv.toString();
    }
}
