package org.aspas.emulab.experiments.page;

import java.util.List;

/** A table of HTML whose texts are escaped and whose numbers stand to the right. */
final class HtmlTable {
    private final StringBuilder out = new StringBuilder();

    /** A table with these columns; {@code caption} says what it shows, and may be empty. */
    HtmlTable(String caption, List<String> columns) {
        out.append("<div class=\"wide\"><table>");
        if (!caption.isEmpty()) {
            out.append("<caption>").append(SvgWriter.escaped(caption)).append("</caption>");
        }
        out.append("<thead><tr>");
        columns.forEach(column -> out.append("<th scope=\"col\">")
                .append(SvgWriter.escaped(column))
                .append("</th>"));
        out.append("</tr></thead><tbody>\n");
    }

    /** A row; the first cell is its header. */
    HtmlTable row(String kind, List<String> cells) {
        out.append(kind.isEmpty() ? "<tr>" : "<tr class=\"" + kind + "\">");
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            boolean number = i > 0 && cell.matches("[-≤≥ ]*[0-9][0-9,. –()%×-]*");
            out.append(i == 0 ? "<th scope=\"row\">" : number ? "<td class=\"number\">" : "<td>")
                    .append(SvgWriter.escaped(cell))
                    .append(i == 0 ? "</th>" : "</td>");
        }
        out.append("</tr>\n");
        return this;
    }

    String html() {
        return out + "</tbody></table></div>\n";
    }
}
