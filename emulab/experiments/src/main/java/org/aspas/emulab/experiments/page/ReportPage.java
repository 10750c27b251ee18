package org.aspas.emulab.experiments.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.folder.MeasuredStep;
import org.aspas.emulab.experiments.folder.RunFacts;
import org.aspas.emulab.experiments.folder.RunFolder;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.result.ClaimJudge;
import org.aspas.emulab.experiments.result.ClaimOutcome;
import org.aspas.emulab.experiments.result.MeasuredPoint;
import org.aspas.emulab.sim.world.WorldMap;

/** Writes a run folder's page and the CSV files of its plots, from what is in the folder alone. */
public final class ReportPage {
    private final RunFolder folder;
    private final RunFacts facts;
    private final ExperimentPlan plan;
    private final Map<String, WorldMap> worlds;
    private final List<MeasuredStep> steps;
    private final List<ClaimOutcome> outcomes;
    private final List<PlotFigure> figures = new ArrayList<>();

    private ReportPage(RunFolder folder, ExperimentPlan plan, Map<String, WorldMap> worlds) throws IOException {
        this.folder = folder;
        this.facts = folder.facts();
        this.plan = plan;
        this.worlds = worlds;
        this.steps = folder.measured(plan.steps());
        ClaimJudge judge = new ClaimJudge(steps);
        this.outcomes = plan.claims().stream().map(judge::judge).toList();
    }

    /**
     * Writes {@code index.html}, {@code steps.csv} and a CSV file for each plot.
     *
     * @param folder where a run is, finished or not
     * @param worlds by their names in the plan
     */
    public static List<ClaimOutcome> write(RunFolder folder, ExperimentPlan plan, Map<String, WorldMap> worlds)
            throws IOException {
        ReportPage page = new ReportPage(folder, plan, worlds);
        String html = page.html();
        folder.put(folder.path().resolve("index.html"), html);
        folder.put(folder.path().resolve("steps.csv"), StepsTable.csv(page.steps));
        for (PlotFigure figure : page.figures) {
            folder.put(folder.path().resolve("plots").resolve(figure.id() + ".csv"), figure.csv());
        }
        return page.outcomes;
    }

    private String html() throws IOException {
        String body = plots();
        StringBuilder html =
                new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(SvgWriter.escaped("ASPAS: " + plan.name()))
                .append("</title>\n<style>\n")
                .append(resource("page.css"))
                .append("</style>\n</head>\n<body>\n<header>\n<h1>")
                .append(SvgWriter.escaped(plan.name()))
                .append("</h1>\n<p>")
                .append(SvgWriter.escaped(plan.about()))
                .append("</p>\n")
                .append(PageHeader.html(facts, steps.size(), plan.steps().size(), attemptsAside()))
                .append("</header>\n<main>\n");
        html.append(ClaimsTable.html(outcomes));
        html.append(StepsTable.warnings(steps));
        html.append(body);
        html.append(WorldsSection.html(worlds));
        html.append(StepsTable.html(steps));
        html.append(PageHeader.machine(facts, folder.costs()));
        html.append("</main>\n"
                        + "<footer><p>Everything here is drawn from this folder: <code>steps/</code> has each"
                        + " step's ")
                .append("figures and HdrHistogram logs, <code>plots/</code> the numbers of each plot. ")
                .append("<code>aspas emulab rerun</code> runs the same again.</p></footer>\n<script>\n")
                .append(resource("page.js"))
                .append("</script>\n</body>\n</html>\n");
        return html.toString();
    }

    private List<Integer> attemptsAside() {
        return plan.steps().stream()
                .map(folder::attemptsAside)
                .filter(attempts -> attempts > 0)
                .toList();
    }

    private String plots() throws IOException {
        Map<String, List<MeasuredPoint>> loads = new LinkedHashMap<>();
        for (MeasuredPoint point : MeasuredPoint.of(steps)) {
            PlannedStep first = point.first();
            String load = (first.part().equals("all") ? "" : first.part() + ": ") + first.workload() + " in world "
                    + first.world() + ", " + first.substrate().label();
            loads.computeIfAbsent(load, any -> new ArrayList<>()).add(point);
        }
        StringBuilder html = new StringBuilder("<section id=\"plots\" aria-label=\"Plots\">\n");
        int number = 0;
        for (Map.Entry<String, List<MeasuredPoint>> load : loads.entrySet()) {
            number++;
            List<PlotFigure> drawn = new ArrayList<>(new ResultPlots("load" + number, load.getValue()).figures());
            drawn.addAll(largest("load" + number, load.getValue()));
            if (!drawn.isEmpty()) {
                html.append("<h2>").append(SvgWriter.escaped(load.getKey())).append("</h2>\n<div class=\"plots\">\n");
                drawn.forEach(figure -> html.append(figure.html()));
                html.append("</div>\n");
                figures.addAll(drawn);
            }
        }
        return html.append("</section>\n").toString();
    }

    /** Each system's valid step with the most clients, by itself. */
    private List<PlotFigure> largest(String id, List<MeasuredPoint> points) throws IOException {
        Map<String, MeasuredPoint> largest = new LinkedHashMap<>();
        points.stream()
                .filter(MeasuredPoint::valid)
                .forEach(point -> largest.merge(
                        point.first().system(),
                        point,
                        (one, other) -> one.first().clients() >= other.first().clients() ? one : other));
        List<PlotFigure> drawn = new ArrayList<>();
        for (Map.Entry<String, MeasuredPoint> system : largest.entrySet()) {
            MeasuredStep step = system.getValue().repetitions().get(0);
            StepPlots plots = new StepPlots(
                    id + "-"
                            + system.getKey().toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-"),
                    step);
            Map<String, Histogram> histograms = folder.histograms(step.step());
            plots.distribution(histograms, "update").ifPresent(drawn::add);
            plots.distribution(histograms, "read").ifPresent(drawn::add);
            WorldMap world = worlds.get(step.step().world());
            drawn.addAll(plots.overTime(world == null ? List.of() : world.faults()));
        }
        return drawn;
    }

    private static String resource(String name) {
        try (InputStream file = ReportPage.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException(name + " is not in the build");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
