package org.aspas.emulab.experiments.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.result.ClaimJudge;
import org.aspas.emulab.experiments.result.ClaimOutcome;
import org.aspas.emulab.experiments.result.MachineFacts;
import org.aspas.emulab.experiments.result.MeasuredPoint;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.experiments.result.RepetitionSpread;
import org.aspas.emulab.experiments.result.RunFacts;
import org.aspas.emulab.experiments.result.RunFolder;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.world.WorldFault;
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

    /** The first table of a page: what is claimed, what was found, and whether it is the same. */
    private static final class ClaimsTable {
        private ClaimsTable() {}

        static String html(List<ClaimOutcome> outcomes) {
            if (outcomes.isEmpty()) {
                return "";
            }
            HtmlTable table = new HtmlTable(
                    "Ours is the median over the repetitions, with the lowest and the highest.",
                    List.of("Claim", "Source", "Paper", "Ours", "Band", "Verdict", "Why"));
            for (ClaimOutcome outcome : outcomes) {
                table.row(
                        outcome.kind().name().toLowerCase(Locale.ROOT),
                        List.of(
                                outcome.claim().name(),
                                outcome.claim().source(),
                                outcome.claim().paper().isEmpty()
                                        ? "–"
                                        : outcome.claim().paper(),
                                outcome.found().map(ClaimsTable::shown).orElse("–"),
                                outcome.claim().incomparable().isEmpty()
                                        ? ClaimJudge.shown(outcome.claim().band())
                                        : "–",
                                outcome.kind().label(),
                                outcome.why()));
            }
            return "<section id=\"claims\" class=\"claims\">\n<h2>What is repeated</h2>\n" + table.html()
                    + "</section>\n";
        }

        private static String shown(RepetitionSpread found) {
            return found.count() == 1
                    ? PlotAxis.shown(found.median())
                    : PlotAxis.shown(found.median()) + " (" + PlotAxis.shown(found.low()) + " – "
                            + PlotAxis.shown(found.high()) + ")";
        }
    }

    /** What a page says of the run as a whole, at its head and at its end. */
    private static final class PageHeader {
        private static final int SHORT_HASH = 12;

        private PageHeader() {}

        /**
         * The head of the page.
         *
         * @param attempts for each step that was run again since it was invalid, how often
         */
        static String html(RunFacts facts, int finished, int planned, List<Integer> attempts) {
            String state = finished == planned
                    ? planned + " steps"
                    : finished + " of " + planned + " steps, the others are not run yet";
            if (!attempts.isEmpty()) {
                state += " · " + attempts.size() + (attempts.size() == 1 ? " step was" : " steps were") + " run again, "
                        + attempts.stream().mapToInt(Integer::intValue).sum()
                        + " times in all, as they had been invalid";
            }
            return "<p class=\"soft\">"
                    + SvgWriter.escaped(facts.started() + " · commit " + commit(facts.machine()) + " · " + state)
                    + "</p>\n<nav aria-label=\"Sections\"><ul><li><a href=\"#claims\">What is repeated</a></li>"
                    + "<li><a href=\"#plots\">Plots</a></li><li><a href=\"#worlds\">Worlds</a></li>"
                    + "<li><a href=\"#steps\">Every step</a></li><li><a href=\"#machine\">Machine and settings</a></li>"
                    + "</ul></nav>\n";
        }

        private static String commit(MachineFacts machine) {
            if (machine.commit().isEmpty()) {
                return "unknown";
            }
            return shortened(machine.commit()) + (machine.changed() ? " with changes" : "");
        }

        private static String shortened(String hash) {
            return hash.substring(0, Math.min(SHORT_HASH, hash.length()));
        }

        static String machine(RunFacts facts, Optional<CostFile> costs) {
            MachineFacts machine = facts.machine();
            StringBuilder html = new StringBuilder("<section id=\"machine\">\n<h2>Machine and settings</h2>\n<dl>\n");
            entry(html, "Processor", machine.cpu() + ", " + machine.cores() + " cores");
            entry(html, "Memory", PlotAxis.shown(machine.memoryMebibytes() / 1024.0) + " GiB");
            entry(html, "Kernel", machine.kernel());
            entry(html, "Java", machine.java());
            entry(html, "Commit", commit(machine));
            entry(html, "Load when it began", PlotAxis.shown(machine.loadAtStart()));
            entry(html, "Command", facts.command());
            entry(html, "Seed", Long.toString(facts.seed()));
            entry(html, "Experiment file", "SHA-256 " + facts.planHash());
            for (Map.Entry<String, String> world : facts.worldHashes().entrySet()) {
                entry(html, "World " + world.getKey(), "SHA-256 " + world.getValue());
            }
            costs.ifPresent(file -> entry(
                    html,
                    "Costs in the simulator",
                    "costs.json, measured " + file.measured() + " on " + file.machine()));
            return html.append("</dl>\n</section>\n").toString();
        }

        private static void entry(StringBuilder html, String name, String value) {
            html.append("<dt>")
                    .append(SvgWriter.escaped(name))
                    .append("</dt><dd>")
                    .append(SvgWriter.escaped(value))
                    .append("</dd>\n");
        }
    }

    /** Where the parties of a run were, and what went wrong there when. */
    private static final class WorldsSection {
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
                                    fault.ends() == Long.MAX_VALUE
                                            ? "the end"
                                            : PlotAxis.shown(fault.ends() / MICROS)));
                }
                html.append(faults.html());
            }
            return html.append("</figure>\n").toString();
        }
    }
}
