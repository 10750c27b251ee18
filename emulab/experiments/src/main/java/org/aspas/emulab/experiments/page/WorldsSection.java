package org.aspas.emulab.experiments.page;

import java.util.List;
import java.util.Map;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/** Where the parties of a run were, and what went wrong there when. */
final class WorldsSection {
    private static final double MICROS = 1e6;

    private WorldsSection() {}

    static String html(Map<String, WorldMap> worlds) {
        StringBuilder html = new StringBuilder("<section id=\"worlds\">\n<h2>Worlds</h2>\n<div class=\"plots\">\n");
        worlds.forEach((name, world) -> html.append(figure(name, world)));
        return html.append("</div>\n</section>\n").toString();
    }

    private static String figure(String name, WorldMap world) {
        StringBuilder html = new StringBuilder("<figure><figcaption>")
                .append(SvgWriter.escaped(name))
                .append(" <span class=\"soft\">")
                .append(SvgWriter.escaped(world.about()))
                .append("</span></figcaption>\n");
        if (!world.sites().isEmpty()) {
            html.append(new SiteMapPlot(world).svg())
                    .append("<p class=\"soft\">a: appserver, b: bftserver; lines: round trips.</p>\n");
        }
        if (!world.networks().isEmpty()) {
            HtmlTable networks = new HtmlTable("", List.of("Between", "Round trip, ms"));
            world.networks()
                    .forEach((tiers, range) -> networks.row(
                            "",
                            List.of(
                                    tiers.name()
                                            .toLowerCase(java.util.Locale.ROOT)
                                            .replace("_", " – "),
                                    range.low() == range.high()
                                            ? PlotAxis.shown(range.low())
                                            : PlotAxis.shown(range.low()) + " – " + PlotAxis.shown(range.high()))));
            html.append(networks.html());
        }
        if (!world.faults().isEmpty()) {
            HtmlTable faults = new HtmlTable("", List.of("Fault", "From, s", "To, s"));
            for (WorldFault fault : world.faults()) {
                faults.row(
                        "",
                        List.of(
                                FaultSentence.of(fault),
                                PlotAxis.shown(fault.begins() / MICROS),
                                fault.ends() == Long.MAX_VALUE ? "the end" : PlotAxis.shown(fault.ends() / MICROS)));
            }
            html.append(faults.html());
        }
        return html.append("</figure>\n").toString();
    }
}
