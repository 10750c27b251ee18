package org.aspas.emulab.experiments.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.aspas.emulab.experiments.growth.GrowthSample;
import org.aspas.emulab.experiments.growth.GrowthSeries;
import org.aspas.emulab.experiments.growth.NodeUse;

/** Draws what servers take over time on one page of HTML that needs nothing else. */
public final class GrowthPage {
    private static final double MIB = 1024 * 1024;
    private static final double MINUTE = 60;

    private GrowthPage() {}

    /**
     * The page.
     *
     * @param series what was measured, with at least two samples
     * @param about one line: what ran
     */
    public static String html(GrowthSeries series, String about) throws IOException {
        StringBuilder html = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<title>ASPAS: growth</title>\n<style>\n");
        html.append(css())
                .append("</style>\n</head>\n<body>\n<header>\n<h1>Growth</h1>\n<p>")
                .append(SvgWriter.escaped(about))
                .append("</p>\n</header>\n<main>\n");
        html.append(figure(series, "heap", "Live heap after a collection", "MiB", MIB, NodeUse::heapBytes));
        html.append(figure(series, "disk", "Data directories", "MiB", MIB, NodeUse::diskBytes));
        html.append(figure(series, "threads", "Threads", "threads", 1, NodeUse::threads));
        html.append(figure(series, "descriptors", "File descriptors", "open", 1, NodeUse::descriptors));
        HtmlTable table = new HtmlTable(
                "For each update, by the least squares from " + Math.round(series.fromSeconds() / MINUTE)
                        + " minutes on",
                List.of("node", "heap bytes", "disk bytes"));
        for (String node : series.nodes()) {
            table.row(
                    "",
                    List.of(
                            node,
                            shown(series.perUpdate(node, NodeUse::heapBytes)),
                            shown(series.perUpdate(node, NodeUse::diskBytes))));
        }
        return html.append(table.html()).append("</main>\n</body>\n</html>\n").toString();
    }

    private static String shown(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
    }

    private static String figure(
            GrowthSeries series, String id, String title, String unit, double scale, ToLongFunction<NodeUse> what) {
        List<PlotSeries> lines = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (String node : series.nodes()) {
            List<PlotSeries.Point> points = new ArrayList<>();
            for (GrowthSample sample : series.samples()) {
                NodeUse use = sample.nodes().get(node);
                if (use != null) {
                    double value = what.applyAsLong(use) / scale;
                    values.add(value);
                    points.add(PlotSeries.Point.of(
                            sample.seconds() / MINUTE,
                            value,
                            node + ", " + sample.updates() + " updates: " + PlotAxis.shown(value) + " " + unit));
                }
            }
            lines.add(new PlotSeries(node, points, true));
        }
        List<Double> minutes =
                series.samples().stream().map(one -> one.seconds() / MINUTE).toList();
        LinePlot plot = new LinePlot(
                id, title, PlotAxis.fromZero("minutes", minutes), PlotAxis.fromZero(unit, values), lines, List.of());
        return PlotFigure.of(plot, "").html();
    }

    private static String css() throws IOException {
        try (InputStream css = GrowthPage.class.getResourceAsStream("page.css")) {
            if (css == null) {
                throw new IOException("page.css is missing from this build");
            }
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
