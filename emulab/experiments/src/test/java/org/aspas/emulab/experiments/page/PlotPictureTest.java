package org.aspas.emulab.experiments.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Pictures for small inputs, as they should be: with -Daspas.plots=rewrite they are written anew, to be looked at. */
class PlotPictureTest {
    private static final Path GOLDEN = Path.of("src/test/resources/org/aspas/emulab/experiments/page");

    private static LinePlot lines() {
        PlotSeries some = new PlotSeries(
                "aspas2",
                List.of(
                        new PlotSeries.Point(1, 71.4, 70.9, 72.2, "aspas2, 1 client: 71.4 ms"),
                        new PlotSeries.Point(100, 74, 73, 79.5, "aspas2, 100 clients: 74 ms")),
                true);
        PlotSeries others = new PlotSeries(
                "<ap> & \"co\"", List.of(PlotSeries.Point.of(1, 70, "ap"), PlotSeries.Point.of(100, 80, "ap")), false);
        return new LinePlot(
                "latency",
                "Update latency by clients",
                PlotAxis.logarithmic("clients", List.of(1.0, 100.0)),
                PlotAxis.fromZero("update p50, ms", List.of(80.0)),
                List.of(some, others),
                List.of(new PlotBand(10, 30, "appserver-2 stands still")));
    }

    private static SpreadPlot bars() {
        return new SpreadPlot(
                "spread",
                "Update latency, every repetition",
                PlotAxis.fromZero("ms", List.of(80.0)),
                List.of(
                        new SpreadPlot.Row("aspas2, 1 client", 0, List.of(71.0, 73.0), 72),
                        new SpreadPlot.Row("ap, 1 client", 1, List.of(70.0), 70)));
    }

    private static WorldMap world() throws Exception {
        return WorldReader.read("aws5", ShippedWorlds.file("aws5").orElseThrow(), role -> true);
    }

    @Test
    void linesWithSpreadAndBands() throws Exception {
        assertGolden("lines.svg", lines().svg());
        assertThat(lines().csv())
                .isEqualTo("series,x,y,low,high\naspas2,1,71.4,70.9,72.2\naspas2,100,74,73,79.5\n"
                        + "\"<ap> & \"\"co\"\"\",1,70,70,70\n\"<ap> & \"\"co\"\"\",100,80,80,80\n");
        assertThat(CsvFile.cells("\"<ap> & \"\"co\"\"\",1,70,70,70"))
                .containsExactly("<ap> & \"co\"", "1", "70", "70", "70");
    }

    @Test
    void barsOfRepetitions() throws Exception {
        assertGolden("bars.svg", bars().svg());
        assertThat(bars().csv())
                .isEqualTo("point,repetition,value\n\"aspas2, 1 client\",1,71\n\"aspas2, 1 client\",2,73\n"
                        + "\"ap, 1 client\",1,70\n");
    }

    @Test
    void aMapOfSites() throws Exception {
        assertGolden("map.svg", new SiteMapPlot(world()).svg());
    }

    private static void assertGolden(String name, String svg) throws Exception {
        assertWellFormed(svg);
        Path file = GOLDEN.resolve(name);
        if ("rewrite".equals(System.getProperty("aspas.plots"))) {
            write(file, svg);
        }
        assertThat(svg).isEqualTo(Files.readString(file));
    }

    private static void write(Path file, String svg) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, svg);
    }

    private static void assertWellFormed(String svg) throws Exception {
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    }
}
