package org.aspas.emulab.experiments.page;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.emulab.experiments.folder.MachineFacts;
import org.aspas.emulab.experiments.folder.RunFacts;
import org.aspas.emulab.sim.processor.CostFile;

/** What a page says of the run as a whole, at its head and at its end. */
final class PageHeader {
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
                    + attempts.stream().mapToInt(Integer::intValue).sum() + " times in all, as they had been invalid";
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
                html, "Costs in the simulator", "costs.json, measured " + file.measured() + " on " + file.machine()));
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
