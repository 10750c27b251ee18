package org.aspas.emulab.experiments.page;

import java.util.List;

/**
 * Lines through points, with the spread of the repetitions at each and shaded bands behind them.
 *
 * @param id its name in the page and of its CSV file
 * @param series each with a colour, a mark and a dash of its own
 */
record LinePlot(String id, String title, PlotAxis x, PlotAxis y, List<PlotSeries> series, List<PlotBand> bands) {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int LEFT = 68;
    private static final int RIGHT = 26;
    private static final int TOP = 12;
    private static final int BOTTOM = 48;
    private static final int CAP = 4;
    /** The names of bands that are near each other stand below each other. */
    private static final int LABEL_ROWS = 5;

    LinePlot {
        series = List.copyOf(series);
        bands = List.copyOf(bands);
    }

    String svg() {
        SvgWriter svg = new SvgWriter();
        svg.begin(
                "svg",
                "class",
                "plot",
                "viewBox",
                "0 0 " + WIDTH + " " + HEIGHT,
                "tabindex",
                0,
                "role",
                "img",
                "aria-label",
                title + ": " + y.label() + " by " + x.label());
        bands(svg);
        grid(svg);
        for (int number = 0; number < series.size(); number++) {
            line(svg, series.get(number), number);
        }
        return svg.end().svg();
    }

    private void bands(SvgWriter svg) {
        for (int number = 0; number < bands.size(); number++) {
            PlotBand band = bands.get(number);
            double from = across(band.from());
            svg.begin("g", "class", "band");
            svg.text("title", band.about());
            svg.empty(
                    "rect",
                    "x",
                    from,
                    "y",
                    TOP,
                    "width",
                    Math.max(1, across(band.to()) - from),
                    "height",
                    HEIGHT - TOP - BOTTOM);
            svg.text("text", band.about(), "x", from + 3, "y", TOP + 12 + number % LABEL_ROWS * 13);
            svg.end();
        }
    }

    private void grid(SvgWriter svg) {
        svg.begin("g", "class", "grid");
        for (double tick : y.ticks()) {
            double at = up(tick);
            svg.empty("line", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", at, "y2", at);
            svg.text("text", PlotAxis.shown(tick), "x", LEFT - 6, "y", at + 4, "text-anchor", "end");
        }
        for (double tick : x.ticks()) {
            double at = across(tick);
            svg.empty("line", "x1", at, "x2", at, "y1", HEIGHT - BOTTOM, "y2", HEIGHT - BOTTOM + 4);
            svg.text("text", PlotAxis.shown(tick), "x", at, "y", HEIGHT - BOTTOM + 17, "text-anchor", "middle");
        }
        svg.text(
                "text",
                x.label(),
                "class",
                "axis",
                "x",
                (LEFT + WIDTH - RIGHT) / 2.0,
                "y",
                HEIGHT - 8,
                "text-anchor",
                "middle");
        double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        svg.text(
                "text",
                y.label(),
                "class",
                "axis",
                "transform",
                "translate(14 " + SvgWriter.number(middle) + ") rotate(-90)",
                "text-anchor",
                "middle");
        svg.end();
    }

    private void line(SvgWriter svg, PlotSeries one, int number) {
        svg.begin("g", "class", "series s" + number % SeriesMark.COUNT, "data-series", one.name());
        svg.empty("path", "class", "line", "d", path(one));
        for (PlotSeries.Point point : one.marked() ? one.points() : List.<PlotSeries.Point>of()) {
            svg.begin("g", "class", "point");
            svg.text("title", point.about());
            spread(svg, point);
            SeriesMark.draw(svg, number, across(point.x()), up(point.y()));
            svg.end();
        }
        svg.end();
    }

    private void spread(SvgWriter svg, PlotSeries.Point point) {
        if (point.low() < point.high()) {
            double at = across(point.x());
            double bottom = up(point.low());
            double top = up(point.high());
            svg.empty(
                    "path",
                    "class",
                    "spread",
                    "d",
                    "M" + pair(at - CAP, bottom) + "H" + SvgWriter.number(at + CAP) + "M" + pair(at, bottom) + "V"
                            + SvgWriter.number(top) + "M" + pair(at - CAP, top) + "H" + SvgWriter.number(at + CAP));
        }
    }

    private String path(PlotSeries one) {
        StringBuilder path = new StringBuilder();
        for (PlotSeries.Point point : one.points()) {
            path.append(path.isEmpty() ? "M" : "L").append(pair(across(point.x()), up(point.y())));
        }
        return path.toString();
    }

    private static String pair(double x, double y) {
        return SvgWriter.number(x) + " " + SvgWriter.number(y);
    }

    private double across(double value) {
        return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double up(double value) {
        return HEIGHT - BOTTOM - y.place(value) * (HEIGHT - TOP - BOTTOM);
    }

    String csv() {
        StringBuilder csv = new StringBuilder("series,x,y,low,high\n");
        for (PlotSeries one : series) {
            for (PlotSeries.Point point : one.points()) {
                csv.append(CsvFile.line(one.name(), point.x(), point.y(), point.low(), point.high()));
            }
        }
        return csv.toString();
    }
}
