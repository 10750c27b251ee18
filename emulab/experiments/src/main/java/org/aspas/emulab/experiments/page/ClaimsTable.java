package org.aspas.emulab.experiments.page;

import java.util.List;
import java.util.Locale;
import org.aspas.emulab.experiments.result.ClaimJudge;
import org.aspas.emulab.experiments.result.ClaimOutcome;
import org.aspas.emulab.experiments.result.RepetitionSpread;

/** The first table of a page: what is claimed, what was found, and whether it is the same. */
final class ClaimsTable {
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
        return "<section id=\"claims\" class=\"claims\">\n<h2>What is repeated</h2>\n" + table.html() + "</section>\n";
    }

    private static String shown(RepetitionSpread found) {
        return found.count() == 1
                ? PlotAxis.shown(found.median())
                : PlotAxis.shown(found.median()) + " (" + PlotAxis.shown(found.low()) + " – "
                        + PlotAxis.shown(found.high()) + ")";
    }
}
