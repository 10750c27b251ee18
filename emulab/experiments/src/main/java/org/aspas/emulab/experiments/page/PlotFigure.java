package org.aspas.emulab.experiments.page;

import java.util.List;

/**
 * A picture with what belongs to it.
 *
 * @param id its name in the page and of its CSV file
 * @param note what one has to know to read it; may be empty
 * @param legend its series, in the order of their colours
 */
record PlotFigure(String id, String title, String note, String svg, List<PlotSeries> legend, String csv) {
    private static final int MOST_ROWS = 60;

    static PlotFigure of(LinePlot plot, String note) {
        return new PlotFigure(plot.id(), plot.title(), note, plot.svg(), plot.series(), plot.csv());
    }

    static PlotFigure of(SpreadPlot plot, String note) {
        return new PlotFigure(plot.id(), plot.title(), note, plot.svg(), List.of(), plot.csv());
    }

    /** The figure in the page: title, picture, legend, and its numbers for whoever cannot see or point. */
    String html() {
        StringBuilder html = new StringBuilder("<figure id=\"").append(id).append("\"><figcaption>");
        html.append(SvgWriter.escaped(title));
        if (!note.isEmpty()) {
            html.append(" <span class=\"soft\">")
                    .append(SvgWriter.escaped(note))
                    .append("</span>");
        }
        html.append("</figcaption>\n").append(svg);
        if (legend.size() > 1) {
            html.append("<ul class=\"legend\">");
            for (int number = 0; number < legend.size(); number++) {
                html.append(key(number, legend.get(number)));
            }
            html.append("</ul>\n");
        }
        return html.append(numbers()).append("</figure>\n").toString();
    }

    private static String key(int number, PlotSeries series) {
        SvgWriter mark = new SvgWriter();
        mark.begin("svg", "viewBox", "0 0 26 12", "aria-hidden", "true");
        mark.begin("g", "class", "series s" + number % SeriesMark.COUNT);
        mark.empty("path", "class", "line", "d", "M0 6H26");
        if (series.marked()) {
            SeriesMark.draw(mark, number, 13, 6);
        }
        mark.end().end();
        return "<li><span class=\"key\" data-series=\"" + SvgWriter.escaped(series.name()) + "\">" + mark.svg()
                + SvgWriter.escaped(series.name()) + "</span></li>";
    }

    private String numbers() {
        List<String> lines = csv.lines().toList();
        if (lines.size() < 2) {
            return "";
        }
        HtmlTable table = new HtmlTable("", List.of(lines.get(0).split(",")));
        lines.stream().skip(1).limit(MOST_ROWS).forEach(line -> table.row("", cells(line)));
        String more = lines.size() - 1 > MOST_ROWS
                ? "<p class=\"soft\">The first " + MOST_ROWS + " of " + (lines.size() - 1) + ": all are in plots/" + id
                        + ".csv.</p>"
                : "";
        return "<details><summary>Numbers</summary>" + table.html() + more + "</details>\n";
    }

    private static List<String> cells(String line) {
        return CsvFile.cells(line).stream().map(PlotFigure::shown).toList();
    }

    private static String shown(String cell) {
        return cell.matches("-?[0-9]+\\.[0-9]+(E-?[0-9]+)?") ? PlotAxis.shown(Double.parseDouble(cell)) : cell;
    }
}
